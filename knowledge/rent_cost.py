"""What renting costs, by purchase mode, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from knowledge import economics as formulas
from knowledge.costing import ON_DEMAND, RESERVED, SPOT, Input, Line
from knowledge.own_cost import counted, line
from knowledge.rental import QUOTED, Offer
from knowledge.terms import Need, Terms

TERMS = {"reserved_1y": 12, "reserved_3y": 36}
STORAGE = "object_storage_per_gb_month"
MODES = (ON_DEMAND, *RESERVED, SPOT)


@dataclass(frozen=True)
class Rent:
    """One offer in one purchase mode: its lines in both cases. `surely`: the mode can be had whatever turns out."""

    offer: Offer
    mode: str
    lines: tuple[Line, ...]
    surely: bool

    @property
    def least(self) -> float:
        return sum(item.least for item in self.lines)

    @property
    def most(self) -> float:
        return sum(item.most for item in self.lines)


def rents(terms: Terms, need: Need, offer: Offer) -> Iterator[Rent]:
    """The offer in each purchase mode in which it is sold and suits."""
    for mode in MODES:
        found = _compute(terms, need, offer, mode)
        if found is not None:
            lines, surely = found
            extras = [*lines, *_data(terms, need, offer)]
            yield Rent(offer, mode, (*extras, *_overhead(terms, extras)), surely)


def surplus(terms: Terms, need: Need, offer: Offer, name: str) -> list[Line]:
    """The part above the steady need alone, by the hour, with data and overhead; empty where that is not sold."""
    price = offer.prices.get(ON_DEMAND)
    if price is None:
        return []
    _, above = _averages(need, offer.size)
    lines = [_rented(terms, offer, price, _hours(above, need.months), name), *_data(terms, need, offer)]
    return [*lines, *_overhead(terms, lines)]


def _compute(terms: Terms, need: Need, offer: Offer, mode: str) -> tuple[list[Line], bool] | None:
    price = offer.prices.get(mode)
    if price is None:
        return None
    base, above = _averages(need, offer.size)
    both = (base[0] + above[0], base[1] + above[1])
    if mode == ON_DEMAND:
        return [_rented(terms, offer, price, _hours(both, need.months), "compute")], True
    if mode == SPOT:
        return _spot(terms, need, offer, both)
    return _reserved(terms, need, offer, mode)


def _spot(terms: Terms, need: Need, offer: Offer, gpus: tuple[float, float]) -> tuple[list[Line], bool] | None:
    """Spot, where the work may be stopped: what is lost when it is stopped is run again."""
    interruptible = terms.facts["demand.interruptible"]
    if interruptible is False or (interruptible is None and not terms.spanned):
        return None
    again = terms.figure("spot_interruption_overhead", "")
    least, most = _hours(gpus, need.months)
    hours = (least * (1 + again.least), most * (1 + again.most))
    return [_rented(terms, offer, offer.prices[SPOT], hours, "compute")], interruptible is True


def _reserved(terms: Terms, need: Need, offer: Offer, mode: str) -> tuple[list[Line], bool] | None:
    """The steady need under a commitment, paid busy or idle; what is above it by the hour.

    What is left of the need after the last whole term is paid by the hour too, where that costs less than a further
    term.
    """
    if need.steady[1] == 0:
        return None
    base, above = _averages(need, offer.size)
    hourly = offer.prices.get(ON_DEMAND)
    if hourly is None and above[1] > 0:
        return None
    price, by_the_hour = terms.money(offer.prices[mode]), terms.money(hourly) if hourly is not None else None
    kept: list[tuple[float, float]] = []
    for end in (0, 1):
        gpus = formulas.whole_instances(need.steady[end], offer.size)
        prices = [(item.least, item.most)[end] for item in (price, by_the_hour) if item is not None]
        kept.append(_kept((gpus, base[end]), need.months[end], TERMS[mode], prices))
    hours, rest = (kept[0][0], kept[1][0]), (kept[0][1], kept[1][1])
    lines = [_rented(terms, offer, offer.prices[mode], hours, "compute")]
    if hourly is not None and above[1] + rest[1] + rest[0] > 0:
        least, most = _hours(above, need.months)
        lines.append(_rented(terms, offer, hourly, (least + rest[0], most + rest[1]), "surplus"))
    return lines, need.steady[0] > 0


def _kept(gpus: tuple[float, float], months: float, term: int, prices: list[float]) -> tuple[float, float]:
    """Hours under a commitment and hours beside it, the cheaper way: one more term, or the rest by the hour.

    `gpus`: those committed, and those busy on average; `prices`: of a committed hour, and of one on demand if sold.
    """
    committed, busy = (count * formulas.HOURS_PER_MONTH for count in gpus)
    all_terms = formulas.committed_months(months, float(term))
    whole_terms = float(months // term * term)
    rest = months - whole_terms
    if len(prices) > 1 and committed * (all_terms - whole_terms) * prices[0] > busy * rest * prices[1]:
        return committed * whole_terms, busy * rest
    return committed * all_terms, 0.0


def _averages(need: Need, size: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """GPUs rented by the hour for the steady need and above it, averaged over the month, least and most."""
    base, above = [], []
    for low, high in need.steady_ranges():
        ends = ((low, high, 0), (high, low, 1))
        base.append([formulas.rented_base(s, need.peak[e], need.utilization[e], size) for s, _, e in ends])
        above.append([formulas.rented_surplus(s, need.peak[e], need.peak_share[e], size) for _, s, e in ends])
    return _hull(base), _hull(above)


def _hull(found: list[list[float]]) -> tuple[float, float]:
    return min(low for low, _ in found), max(high for _, high in found)


def _hours(gpus: tuple[float, float], months: tuple[float, float]) -> tuple[float, float]:
    least, most = (gpus[end] * formulas.HOURS_PER_MONTH * months[end] for end in (0, 1))
    return least, most


def _rented(terms: Terms, offer: Offer, price: str, hours: tuple[float, float], name: str) -> Line:
    paid = counted("paid_gpu_hours", hours[0], hours[1], "GPU-hours")
    return line(name, formulas.rent, [paid, terms.money(price), _share_paid(terms, offer, price)])


def _share_paid(terms: Terms, offer: Offer, price: str) -> Input:
    """What is left to pay after the discount off list prices; spot and one's own quotes are paid as they are."""
    listed = offer.listed and not terms.figures.is_told(price) and offer.prices.get(SPOT) != price
    low, high = terms.optional("finance.cloud_discount") if listed else (0.0, 0.0)
    return counted("share_paid", 1 - high, 1 - low, "")


def _data(terms: Terms, need: Need, offer: Offer) -> list[Line]:
    """What the stored data and the data that leaves cost, where there are any."""
    months = Input("months", "fact", *need.months, "months")
    stored, leaving = terms.optional("data.volume_tb"), terms.optional("data.egress_tb_per_month")
    lines = []
    if stored[1] > 0:
        volume = Input("data.volume_tb", "fact", *stored, "TB")
        lines.append(line("storage", formulas.per_gigabyte, [volume, terms.money(STORAGE), months]))
    if leaving[1] > 0 and (price := _egress(terms, offer)).most > 0:
        volume = Input("data.egress_tb_per_month", "fact", *leaving, "TB/month")
        lines.append(line("egress", formulas.per_gigabyte, [volume, price, months]))
    return lines


def _egress(terms: Terms, offer: Offer) -> Input:
    if terms.facts["region"] == "cn":
        return terms.money("egress_per_gb.cn")
    if offer.tier == QUOTED:
        return terms.any_of(["egress_per_gb.hyperscaler", "egress_per_gb.specialist"])
    return terms.money(f"egress_per_gb.{offer.tier}")


def _overhead(terms: Terms, lines: list[Line]) -> list[Line]:
    """What one's own organization puts on rented services, where it does."""
    share = terms.figure("overhead_share", "")
    if share.most == 0:
        return []
    whole = counted("rent", sum(item.least for item in lines), sum(item.most for item in lines), terms.currency)
    return [line("overhead", lambda amount, part: amount * part, [whole, share])]
