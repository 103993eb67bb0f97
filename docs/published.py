"""Writes docs/published-costs.md and docs/published-costs.zh.md: sums that others published, and what we get for them.

    .venv/bin/python docs/published.py [FOLDER]

The cases stand in tests/knowledge/published, the methods in knowledge/published.py. tests/knowledge/test_published.py
fails while the pages and the program differ.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.faults import LANGUAGES
from engine.figures import FigureValues
from engine.loading import plain, read_file
from engine.values import interval
from knowledge import knowledge_base
from knowledge import published as methods
from knowledge.accounting import Account, Band
from knowledge.cost_facts import INPUTS
from knowledge.economics import HOURS_PER_MONTH

FOLDER = Path(__file__).parent
PAGES = {"en": "published-costs.md", "zh": "published-costs.zh.md"}
CASES = FOLDER.parent / "tests" / "knowledge" / "published"
ORDER = (
    "lenovo-2025", "lenovo-2026", "epoch-2024", "aiinframap-2026", "node-2026", "short-project", "sixty-four-gpus",
)  # fmt: skip

Found = Mapping[str, float | Band]
Inputs = Mapping[str, Any]

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "title": "Published sums, made again",
        "about": "Sums that others have published, each made again from its own inputs and by the convention of its "
        "own source, whether or not we would count so. They check arithmetic; gpu-advisor's own accounting "
        "([costs.md](costs.md)) counts more. [中文](published-costs.zh.md).",
        "made": "Made by `docs/published.py` from `tests/knowledge/published`; the methods are functions in "
        "`knowledge/published.py`. The difference is that of our sum from the published one. A dash: the source does "
        "not print it, and we solved for it.",
        "method": "Method: {methods}: {formula}.",
        "source": "Source: [{source}]({url}), {as_of}; confidence: {confidence}.",
        "undated": "undated",
        "high": "high",
        "medium": "medium",
        "low": "low",
        "head": "| what | unit | published | made again | difference |",
        "exact": "none",
        "tiny": "below 0.01 %",
        "percent": "{sign}{number} %",
        "range": "{low} to {high}",
        "both": "{low} and {high}",
        "comma": ", ",
        "hours": "hours",
        "months": "months",
        "times": "times",
        "share": "share",
        "USD": "USD",
        "CNY": "CNY",
        "USD/h": "USD/h",
        "million USD": "million USD",
        "USD/kWh": "USD/kWh",
        "USD/GPU-hour": "USD/GPU-hour",
    },
    "zh": {
        "title": "公开账目复算",
        "about": "别人公开过的账，各用原文自己的输入、按原文自己的口径重算一遍，不管我们是否赞同那样算。"
        "这里只核对算术；gpu-advisor 自己的账（[costs.zh.md](costs.zh.md)）算得更全。[English](published-costs.md)。",
        "made": "本页由 `docs/published.py` 根据 `tests/knowledge/published` 生成，"
        "算法是 `knowledge/published.py` 里的函数。"
        "“相差”指复算值比公布值高出或低于多少；短横线表示原文没有给出，由我们反解得到。",
        "method": "算法：{methods}：{formula}。",
        "source": "来源：[{source}]({url})，{as_of}；可信度：{confidence}。",
        "undated": "无日期",
        "high": "高",
        "medium": "中",
        "low": "低",
        "head": "| 项目 | 单位 | 公布 | 复算 | 相差 |",
        "exact": "无",
        "tiny": "不到 0.01%",
        "percent": "{sign}{number}%",
        "range": "{low}–{high}",
        "both": "{low} 和 {high}",
        "comma": "、",
        "hours": "小时",
        "months": "个月",
        "times": "倍",
        "share": "比例",
        "USD": "美元",
        "CNY": "元",
        "USD/h": "美元/小时",
        "million USD": "百万美元",
        "USD/kWh": "美元/千瓦时",
        "USD/GPU-hour": "美元/卡时",
    },
}


@dataclass(frozen=True)
class Sum:
    """One published sum and ours. `solved`: the source does not print it, and `published` is what goes with the rest.

    `within`: the most by which ours may be off, as a share of the published one; None where it is meant to differ.
    """

    id: str
    what: Mapping[str, str]
    unit: str
    published: Band
    ours: Band
    digits: int
    solved: bool
    within: float | None

    @property
    def differences(self) -> Band:
        """Ours from the published one, as a share of it, at either end."""
        return self.ours[0] / self.published[0] - 1, self.ours[1] / self.published[1] - 1


@dataclass(frozen=True)
class Case:
    """A published case, and its sums made again."""

    id: str
    methods: tuple[str, ...]
    told: Mapping[str, Any]
    sums: tuple[Sum, ...]


def cases(folder: Path = CASES) -> tuple[Case, ...]:
    """Every case with its sums made again, in the order of the page."""
    return tuple(_case(plain(read_file(folder / f"{name}.yaml"))) for name in ORDER)


def _case(told: Mapping[str, Any]) -> Case:
    found = MADE_AGAIN[told["id"]](told["inputs"])
    method = told["method"]
    sums = tuple(_sum(item, found[item["id"]], told["within"]) for item in told["sums"])
    return Case(told["id"], (method,) if isinstance(method, str) else tuple(method), told, sums)


def _sum(item: Mapping[str, Any], found: float | Band, within: float | None) -> Sum:
    published = (item["low"], item["high"]) if "low" in item else (item["value"], item["value"])
    return Sum(
        id=item["id"],
        what=item["what"],
        unit=item["unit"],
        published=published,
        ours=found if isinstance(found, tuple) else (found, found),
        digits=item.get("digits", 0),
        solved=item.get("implied", False),
        within=0.01 if item.get("implied") else item.get("within", within),
    )


def _lenovo_2025(told: Inputs) -> Found:
    hours = {
        mode: methods.break_even_hours(told["capital"], rent, told["running_per_hour"])
        for mode, rent in told["rented_per_hour"].items()
    }
    return {**hours, "months": hours["on_demand"] / told["hours_per_month"]}


def _lenovo_2026(told: Inputs) -> Found:
    hours = {mode: months * told["hours_per_month"] for mode, months in told["months"].items()}
    running = told["running_per_hour"]
    prices = [methods.implied_capital(hours["on_demand"], told["rented_per_hour"], each) for each in running]
    rents: dict[str, Band] = {}
    for mode in ("one_year", "three_years", "five_years"):
        pairs = zip(prices, running, strict=True)
        rents[mode] = _band(methods.implied_rent(price, hours[mode], each) for price, each in pairs)
    return {
        "tokens": methods.times_dearer(told["tokens"]["service"], told["tokens"]["own"]),
        "large_model": methods.share_saved(told["large_model"]["own"], told["large_model"]["cloud"]),
        "capital": _band(prices),
        **rents,
    }


def _epoch(told: Inputs) -> Found:
    return {name: training_cost(row).total * row["inflation"] for name, row in told.items()}


def training_cost(row: Mapping[str, float]) -> methods.TrainingCost:
    """The cost of one run of the Epoch case, at the prices of its publication."""
    chip = methods.Chip(row["price"], row["watts"], row["server_factor"])
    return methods.amortized_training_cost(row["chip_hours"], chip, row["pue"], row["tariff"])


def _aiinframap(told: Inputs) -> Found:
    gpus, share = told["gpus"], told["utilization"]
    tariff = methods.implied_tariff_with_pue(told["power_of_h100"], gpus, told["watts"]["h100"], share)
    found = {"tariff_with_pue": tariff}
    for card, price in told["price"].items():
        parts = methods.purchase_and_power(gpus, price, told["watts"][card], share, tariff)
        purchase, power = (part / 1e6 for part in parts)
        found |= {f"{card}-purchase": purchase, f"{card}-power": power, f"{card}-total": purchase + power}
    return found


def _node(told: Inputs) -> Found:
    ends = zip(told["capital"], told["tariff"], told["rent_per_kw_month"], strict=True)
    named = _band(
        methods.purchase_power_and_space(capital, told["kilowatts"], tariff, rent, told["years"])
        for capital, tariff, rent in ends
    )
    need = {
        **_steady(8, 1.0, told["years"] * 12, "USD", "us"),
        "model.gpu": "H100-SXM-80GB",
        "operations.site": "colocation",
        "operations.gpus_owned": 0.0,
        "finance.commitment_months_left": 0.0,
    }
    quotes = {
        "server_price": interval(*told["capital"]),
        "server_power_kw": told["kilowatts"],
        "space_per_kw_month": interval(*told["rent_per_kw_month"]),
        "electricity_per_kwh": interval(*told["tariff"]),
        "residual_share": interval(*told["residual_share"]),
    }
    return {"named_items": named, "ours": _known(_account(need, quotes).own_band)}


def _short_project(told: Inputs) -> Found:
    hours = told["hours_a_day"] * told["days"]
    need = _steady(told["gpus"], told["hours_a_day"] / 24, told["days"] * 24 / HOURS_PER_MONTH, "CNY", "cn")
    account = _account(need, {"cloud_price_per_gpu_hour": float(told["price"])})
    rent = methods.rent_by_the_hour(told["gpus"], hours, 1, told["price"])
    return {"rent": rent, "ours": _known(account.rented_band)}


def _sixty_four(told: Inputs) -> Found:
    gpus, hours, share = told["gpus"], told["hours"], told["utilization"]
    need = {**_steady(gpus, share, hours / HOURS_PER_MONTH, "USD", "us"), "demand.interruptible": True}
    # The article has no price on demand; any above that of spot gives the same sum.
    quotes = {"cloud_price_per_gpu_hour": 10 * told["price"], "spot_price_per_gpu_hour": told["price"]}
    return {
        "spot": methods.rent_by_the_hour(gpus, hours, share, told["price"]),
        "spot_again": _known(_account(need, quotes).rented_band),
        "price_of_spot": methods.implied_price(told["published_spot"], gpus, hours, share),
        "price_of_own": methods.implied_price(told["published_own"], gpus, hours, share),
    }


MADE_AGAIN: dict[str, Callable[[Inputs], Found]] = {
    "lenovo-2025": _lenovo_2025,
    "lenovo-2026": _lenovo_2026,
    "epoch-2024": _epoch,
    "aiinframap-2026": _aiinframap,
    "node-2026": _node,
    "short-project": _short_project,
    "sixty-four-gpus": _sixty_four,
}


def _steady(gpus: int, utilization: float, months: float, currency: str, region: str) -> dict[str, Any]:
    """A steady need for so many GPUs, without data to store or move and without discounts."""
    return {
        "demand.gpus_steady": float(gpus),
        "demand.gpus_peak": float(gpus),
        "demand.utilization": utilization,
        "demand.horizon_months": float(months),
        "finance.currency": currency,
        "finance.cloud_discount": 0.0,
        "region": region,
        "data.volume_tb": 0.0,
        "data.egress_tb_per_month": 0.0,
    }


def _account(need: Mapping[str, Any], quotes: Mapping[str, Any]) -> Account:
    return Account({**dict.fromkeys(INPUTS), **need}, FigureValues(knowledge_base().figures, quotes))


def _known(band: Band | None) -> Band:
    assert band is not None, "an input of our own accounting is missing"
    return band


def _band(found: Any) -> Band:
    items = list(found)
    return min(items), max(items)


def page(found: Sequence[Case], language: str) -> str:
    """The whole page: one section for each case."""
    words = WORDS[language]
    parts = [f"# {words['title']}", words["about"], words["made"]]
    return "\n\n".join([*parts, *(_section(case, language) for case in found)]) + "\n"


def _section(case: Case, language: str) -> str:
    words, told = WORDS[language], case.told
    named = words["comma"].join(f"`{name}`" for name in case.methods)
    source = words["source"].format(
        source=told["source"],
        url=told["url"],
        as_of=words.get(str(told["as_of"]), str(told["as_of"])),
        confidence=words[told["confidence"]],
    )
    rows = [words["head"], "|---|---|---:|---:|---:|", *(_row(item, language) for item in case.sums)]
    return "\n\n".join(
        [
            f"## {told['title'][language]}",
            told["given"][language],
            words["method"].format(methods=named, formula=told["formula"][language]),
            "\n".join(rows),
            "\n".join(f"- {item[language]}" for item in told["caveats"]),
            source,
        ]
    )


def _row(item: Sum, language: str) -> str:
    words = WORDS[language]
    printed = "—" if item.solved else _range(item.published, item.digits, language)
    more = item.digits if item.solved or item.published[0] >= 1000 else item.digits + 1
    off = "—" if item.solved else _off(item, language)
    return f"| {item.what[language]} | {words[item.unit]} | {printed} | {_range(item.ours, more, language)} | {off} |"


def _range(band: Band, digits: int, language: str) -> str:
    low, high = (f"{end:,.{digits}f}" for end in band)
    return low if low == high else WORDS[language]["range"].format(low=low, high=high)


def _off(item: Sum, language: str) -> str:
    low, high = (_percent(share, language) for share in item.differences)
    return low if low == high else WORDS[language]["both"].format(low=low, high=high)


def _percent(share: float, language: str) -> str:
    words = WORDS[language]
    if abs(share) < 1e-12:
        return words["exact"]
    if abs(share) < 0.0001:
        return words["tiny"]
    return words["percent"].format(sign="+" if share > 0 else "−", number=f"{abs(share) * 100:.2f}")


def main() -> None:
    """Writes the pages into the folder that is named, else beside this file."""
    folder = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else FOLDER
    found = cases()
    for language in LANGUAGES:
        (folder / PAGES[language]).write_text(page(found, language), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
