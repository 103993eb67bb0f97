"""The computed facts of cost: what the rules read of the accounting.

A fact spans all that unknown facts allow; it is unknown while a price or an input is missing, and never counts as
nothing. Amounts are in the currency of the profile, and unknown until that is told; ratios need none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter

from engine.figures import FigureValues, Formula
from engine.values import Value
from knowledge import economics as formulas
from knowledge.accounting import OWN_FIGURES, RENTED_FIGURES, Account
from knowledge.arithmetic import Number
from knowledge.bands import Band, as_value
from knowledge.costing import ON_DEMAND, SPOT, Input
from knowledge.delivery import cover
from knowledge.rental import QUOTE
from knowledge.terms import Terms

Facts = Mapping[str, Value | None]

INPUTS: Mapping[str, int] = dict.fromkeys(
    (
        "demand.gpus_steady", "demand.gpus_peak", "demand.utilization", "demand.peak_share", "demand.horizon_months",
        "demand.interruptible", "model.gpu", "model.gpu_memory_gb", "region", "operations.gpus_owned",
        "operations.fast_network", "operations.site", "sizing.spans_nodes", "finance.currency",
        "finance.electricity_per_kwh", "finance.cloud_discount", "finance.commitment_months_left", "data.volume_tb",
        "data.egress_tb_per_month", "compliance.sensitivity", "compliance.isolation",
    ),
    0,
)  # fmt: skip
FIGURES = tuple(dict.fromkeys((*OWN_FIGURES, *RENTED_FIGURES)))
_inputs = itemgetter(*INPUTS)
_last: list[tuple[tuple[object, ...], object, Account]] = []


def _account(facts: Facts, figures: FigureValues) -> Account:
    """The account of the case; that of the case before where nothing differs."""
    key = _inputs(facts)
    if not _last or _last[0][0] != key or _last[0][1] is not figures.case:
        account = Account(dict(zip(INPUTS, key, strict=True)), figures)
        _last[:] = [(key, figures.case, account)]
    return _last[0][2]


def gpu_hours_per_month(facts: Facts, figures: FigureValues) -> Number | None:
    """GPU-hours in which GPUs work, each month: busy GPUs times 730.5 hours."""
    busy = _account(facts, figures).busy
    return as_value(None if busy is None else (busy[0] * formulas.HOURS_PER_MONTH, busy[1] * formulas.HOURS_PER_MONTH))


def _money(band: Callable[[Account], Band | None]) -> Callable[[Facts, FigureValues], Number | None]:
    def compute(facts: Facts, figures: FigureValues) -> Number | None:
        return _noted(band, facts, figures) if facts["finance.currency"] is not None else None

    return compute


def _noted(band: Callable[[Account], Band | None], facts: Facts, figures: FigureValues) -> Number | None:
    """The band of the case's account; the figures behind it are noted as read."""
    account = _account(facts, figures)
    found = as_value(band(account))
    figures.used |= account.used
    return found


def _own_monthly(account: Account) -> Band | None:
    """Electricity, space and upkeep, averaged over the months of the horizon.

    A cloud contract that still runs is not among it: it has to be paid on either route.
    """
    if account.running is None or account.need is None:
        return None
    (low, high), months = account.running, account.need.months
    return low / months[0], high / months[1]


def _rented_monthly(account: Account) -> Band | None:
    if account.rented_band is None or account.need is None:
        return None
    (low, high), months = account.rented_band, account.need.months
    return low / months[1], high / months[0]


def own_over_cloud(facts: Facts, figures: FigureValues) -> Number | None:
    """Cost of owning over that of renting, over the horizon: from the dearest offer that suits to the cheapest one."""
    return _noted(lambda account: account.ratio, facts, figures)


def matters(facts: Facts, figures: FigureValues) -> bool | None:
    """Whether the two differ by a sum worth deciding on: surely, surely not, or not known."""
    account = _account(facts, figures)
    if account.difference is None:
        return None
    low, high = account.difference
    figures.used |= account.used
    limit = Terms(account.terms.facts, figures, spanned=True).money("cost_that_matters")
    return True if low >= limit.most else False if high < limit.least else None


def break_even_utilization(facts: Facts, figures: FigureValues) -> Number | None:
    """Busy share of the steady GPUs from which owning costs no more than renting on demand."""
    return _noted(lambda account: account.break_even_utilization(ON_DEMAND), facts, figures)


def break_even_price(facts: Facts, figures: FigureValues) -> Number | None:
    """What an hour of a rented GPU would have to cost for both to cost the same."""
    return _money(lambda account: account.break_even_price())(facts, figures)


def prices_known(facts: Facts, figures: FigureValues) -> bool | None:
    """Whether the figures hold every price that this case needs; not known before card and region are."""
    account = _account(facts, figures)
    if account.need is None or facts["region"] is None:
        return None
    _ = account.own_band, account.rented_band
    missing = {item.kind for item in (*account.terms.missing, *account.rent_terms.missing)}
    return False if missing & {"price", "server_price"} else None if missing else True


def spot_saves(facts: Facts, figures: FigureValues) -> bool | None:
    """Whether spot instances cost less than the same on demand, by every offer that has both; no: by none.

    Hours that interruptions make run again are counted.
    """
    account = Account(facts, figures)
    if not account.terms.names_a_card() and not figures.is_told(QUOTE):
        return None
    both = {
        card: [offer for offer in items if SPOT in offer.prices and ON_DEMAND in offer.prices]
        for card, items in account.offers.items()
    }
    if facts["region"] is None or not all(any(offer.surely for offer in items) for items in both.values()):
        return None
    pairs = [
        (account.rent_terms.money(offer.prices[SPOT]), account.rent_terms.money(offer.prices[ON_DEMAND]))
        for items in both.values()
        for offer in items
    ]
    again = account.rent_terms.figure("spot_interruption_overhead")
    saves = {_less(spot.least * (1 + again.least), spot.most * (1 + again.most), hourly) for spot, hourly in pairs}
    figures.used |= account.rent_terms.figures.used
    return saves.pop() if len(saves) == 1 and not account.rent_terms.missing else None


def _less(least: float, most: float, other: Input) -> bool | None:
    """Whether the one surely costs less than the other, surely not, or neither."""
    return True if most < other.least else False if least >= other.most else None


def _cover(have: str, need: str) -> Callable[[Facts, FigureValues], Number | None]:
    return lambda facts, _: cover(facts[have], facts[need])


FORMULAS = (
    Formula(
        fact="cost.gpu_hours_per_month",
        inputs=INPUTS,
        figures=FIGURES,
        compute=gpu_hours_per_month,
        source="T-3.3a, C-3.4c",
    ),
    Formula(
        fact="cost.own_capital",
        inputs=INPUTS,
        figures=FIGURES,
        compute=_money(lambda account: account.capital),
        source="C-3.4a",
    ),
    Formula(
        fact="cost.own_monthly",
        inputs=INPUTS,
        figures=FIGURES,
        compute=_money(_own_monthly),
        source="T-3.3a",
    ),
    Formula(
        fact="cost.own_total",
        inputs=INPUTS,
        figures=FIGURES,
        compute=_money(lambda account: account.own_band),
        source="C-3.4a, C-3.4b, T-3.3a",
    ),
    Formula(
        fact="cost.cloud_total",
        inputs=INPUTS,
        figures=FIGURES,
        compute=_money(lambda account: account.rented_band),
        source="C-3.4c, T-3.3b",
    ),
    Formula(
        fact="cost.cloud_monthly",
        inputs=INPUTS,
        figures=FIGURES,
        compute=_money(_rented_monthly),
        source="C-3.4c, T-3.3b",
    ),
    Formula(
        fact="cost.own_over_cloud",
        inputs=INPUTS,
        figures=FIGURES,
        compute=own_over_cloud,
        source="T-5.3a, C-4.2",
    ),
    Formula(
        fact="cost.matters",
        inputs=INPUTS,
        figures=(*FIGURES, "cost_that_matters"),
        compute=matters,
        source="T-5.3a",
    ),
    Formula(
        fact="cost.break_even_utilization",
        inputs=INPUTS,
        figures=FIGURES,
        compute=break_even_utilization,
        source="T-5.3a",
    ),
    Formula(
        fact="cost.break_even_price",
        inputs=INPUTS,
        figures=FIGURES,
        compute=break_even_price,
        source="T-5.3a",
    ),
    Formula(
        fact="cost.prices_known",
        inputs=INPUTS,
        figures=FIGURES,
        compute=prices_known,
        source="T-5.3a",
    ),
    Formula(
        fact="cost.spot_saves",
        inputs=INPUTS,
        figures=FIGURES,
        compute=spot_saves,
        source="C-3.4c, T-3.3b",
    ),
    Formula(
        fact="cost.capital_cover",
        inputs={"finance.capital": 1, "cost.own_capital": -1},
        figures=(),
        compute=_cover("finance.capital", "cost.own_capital"),
        source="C-3.4a",
    ),
    Formula(
        fact="cost.budget_cover_own",
        inputs={"finance.monthly_budget": 1, "cost.own_monthly": -1},
        figures=(),
        compute=_cover("finance.monthly_budget", "cost.own_monthly"),
        source="T-3.3a",
    ),
    Formula(
        fact="cost.budget_cover_cloud",
        inputs={"finance.monthly_budget": 1, "cost.cloud_monthly": -1},
        figures=(),
        compute=_cover("finance.monthly_budget", "cost.cloud_monthly"),
        source="C-3.4c",
    ),
)
