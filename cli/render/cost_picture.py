"""Cumulative cost by month as a picture, .svg or .png: a band for each route, and where owning meets renting."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from cli.render.cost_chart import crossing, series
from cli.render.cost_page import Costed
from cli.render.cost_wording import Wording, number
from cli.strings import say
from engine.faults import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCHES = (9.0, 5.2)
_CJK_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Sans CJK JP",  # the whole family stands in one file, and only the first name of it is read
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
)
# Line, marker and hatch differ as well as the color (Okabe and Ito), so that no meaning stands in color alone.
_LOOKS = {
    "on_prem": ("#0072B2", "-", "o", "//"),
    "cloud": ("#D55E00", "--", "s", "\\\\"),
    "hybrid": ("#009E73", "-.", "^", ".."),
}


def drawable(costed: Sequence[Costed]) -> list[Costed]:
    """The workloads of which anything can be drawn."""
    return [item for item in costed if series(item.costing)]


def cjk_font() -> str | None:
    """An installed font that has Chinese characters."""
    from matplotlib import font_manager

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in _CJK_FONTS if name in installed), None)


def picture(costed: Sequence[Costed], wording: Wording, suffix: str, font: str | None) -> bytes:
    """The picture of all workloads, one below the other.

    `font`: one that has the characters of the language, or None for the usual one. In an SVG all text stays text, so
    that whoever shows it may take a font of their own. The same costing gives the same bytes.
    """
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    names = [font] if font else []
    settings = {
        "font.sans-serif": [*names, "DejaVu Sans"],
        "font.family": "sans-serif",
        "svg.fonttype": "none",
        "svg.hashsalt": "gpu-advisor",
        "axes.unicode_minus": False,
        "hatch.linewidth": 0.4,
    }
    items = drawable(costed)
    target = io.BytesIO()
    with mpl.rc_context(cast(Any, settings)), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # text of an SVG is measured, not drawn
        figure = Figure(figsize=(_INCHES[0], _INCHES[1] * len(items)), layout="constrained")
        for item, axes in zip(items, figure.subplots(len(items), 1, squeeze=False)[:, 0], strict=True):
            _draw(axes, item, wording)
        figure.savefig(target, format=suffix.removeprefix("."), dpi=150, metadata=_metadata(suffix))
    return target.getvalue()


def _metadata(suffix: str) -> dict[str, str | None]:
    return {"Date": None} if suffix == ".svg" else {"Software": None}


def _draw(axes: Axes, item: Costed, wording: Wording) -> None:
    from matplotlib.ticker import MaxNLocator

    found = series(item.costing)
    for one in found:
        color, line, marker, hatch = _LOOKS[one.option.route]
        axes.fill_between(one.months, one.least, one.most, facecolor=color, edgecolor=color, alpha=0.15, hatch=hatch)
        every = max(len(one.months) // 12, 1)
        title = wording.option(one.option.id)
        axes.plot(one.months, one.middle, line, color=color, marker=marker, markevery=every, markersize=5, label=title)
    _mark(axes, crossing(found), wording)
    key = "cost.picture-named" if item.name else "cost.picture-title"
    axes.set_title(say(key, wording.language, name=_plain(item.name or "")), loc="left")
    axes.set_xlabel(wording.say("cost.picture-month") + "\n" + wording.say("cost.picture-note"))
    axes.set_ylabel(wording.say("cost.picture-amount", currency=item.costing.currency))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlim(0, max(one.months[-1] for one in found))
    axes.set_ylim(bottom=min(0.0, *(min(one.least) for one in found)))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 3, 6, 10]))
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left")


def _mark(axes: Axes, meeting: tuple[float, float] | None, wording: Wording) -> None:
    if meeting is None:
        return
    axes.plot(*meeting, marker="X", color="black", markersize=10, linestyle="none", zorder=5)
    text = wording.say("cost.picture-crossing", month=number(meeting[0]))
    axes.annotate(text, meeting, xytext=(0, 14), textcoords="offset points", ha="center", weight="bold")


def _plain(text: str) -> str:
    """The text with nothing in it that could be taken for a formula."""
    return printable(text).replace("$", r"\$")
