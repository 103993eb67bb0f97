"""What renting costs, by purchase mode, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from knowledge import economics as formulas
from knowledge.costing import ON_DEMAND, RESERVED, SPOT, Input, Line
from knowledge.own_cost import counted, line
from knowledge.rental import QUOTED, Offer
from knowledge.terms import Need, Terms

TERMS = {"reserved_1y": 12, "reserved_3y": 36}
STORAGE = "object_storage_per_gb_month"
MODES = (ON_DEMAND, *RESERVED, SPOT)
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ByTheHour:
    """GPU-hours paid at one price, least and most: `name` is that of their line, `price` the id of the figure."""

    name: str
    price: str
    hours: Span


@dataclass(frozen=True)
class Rent:
    """One offer in one purchase mode: its lines in both cases. `surely`: the mode can be had whatever turns out."""

    offer: Offer
    mode: str
    lines: tuple[Line, ...]
    surely: bool

    @cached_property
    def least(self) -> float:
        return sum(item.least for item in self.lines)

    @cached_property
    def most(self) -> float:
        return sum(item.most for item in self.lines)


def rents(terms: Terms, need: Need, offer: Offer) -> Iterator[Rent]:
    """The offer in each purchase mode in which it is sold and suits."""
    for mode in MODES:
        found = paid(terms, need, offer, mode)
        if found is not None:
            hours, surely = found
            extras = [*(_rented(terms, offer, item) for item in hours), *data_lines(terms, need, offer)]
            yield Rent(offer, mode, (*extras, *_overhead(terms, extras)), surely)


def surplus(terms: Terms, need: Need, offer: Offer, name: str) -> list[Line]:
    """The part above the steady need alone, by the hour, with data and overhead; empty where that is not sold."""
    price = offer.prices.get(ON_DEMAND)
    if price is None:
        return []
    _, above = _averages(need, offer.size)
    hours = ByTheHour(name, price, _hours(above, need.months))
    lines = [_rented(terms, offer, hours), *data_lines(terms, need, offer)]
    return [*lines, *_overhead(terms, lines)]


def paid(terms: Terms, need: Need, offer: Offer, mode: str) -> tuple[list[ByTheHour], bool] | None:
    """The hours that are paid for, and whether the mode is surely to be had; None where it does not suit."""
    price = offer.prices.get(mode)
    if price is None:
        return None
    if mode == ON_DEMAND:
        return [ByTheHour("compute", price, _busy_hours(need, offer.size))], True
    if mode == SPOT:
        return _spot(terms, need, offer)
    return _reserved(terms, need, offer, mode)


def _busy_hours(need: Need, size: float) -> Span:
    """GPU-hours of the whole need, all by the hour."""
    base, above = _averages(need, size)
    return _hours((base[0] + above[0], base[1] + above[1]), need.months)


def _spot(terms: Terms, need: Need, offer: Offer) -> tuple[list[ByTheHour], bool] | None:
    """Spot, where the work may be stopped: what is lost when it is stopped is run again."""
    interruptible = terms.facts["demand.interruptible"]
    if interruptible is False or (interruptible is None and not terms.spanned):
        return None
    again = terms.figure("spot_interruption_overhead", "")
    least, most = _busy_hours(need, offer.size)
    hours = (least * (1 + again.least), most * (1 + again.most))
    return [ByTheHour("compute", offer.prices[SPOT], hours)], interruptible is True


def _reserved(terms: Terms, need: Need, offer: Offer, mode: str) -> tuple[list[ByTheHour], bool] | None:
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
    kept: list[Span] = []
    for end in (0, 1):
        gpus = formulas.whole_instances(need.steady[end], offer.size)
        prices = [(item.least, item.most)[end] for item in (price, by_the_hour) if item is not None]
        kept.append(_kept((gpus, base[end]), need.months[end], TERMS[mode], prices))
    hours, rest = (kept[0][0], kept[1][0]), (kept[0][1], kept[1][1])
    found = [ByTheHour("compute", offer.prices[mode], hours)]
    if hourly is not None and above[1] + rest[1] + rest[0] > 0:
        least, most = _hours(above, need.months)
        found.append(ByTheHour("surplus", hourly, (least + rest[0], most + rest[1])))
    return found, need.steady[0] > 0


def _kept(gpus: Span, months: float, term: int, prices: list[float]) -> Span:
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


@lru_cache(maxsize=1024)
def _averages(need: Need, size: float) -> tuple[Span, Span]:
    """GPUs rented by the hour for the steady need and above it, averaged over the month, least and most."""
    base, above = [], []
    for low, high in need.steady_ranges():
        ends = ((low, high, 0), (high, low, 1))
        base.append([formulas.rented_base(s, need.peak[e], need.utilization[e], size) for s, _, e in ends])
        above.append([formulas.rented_surplus(s, need.peak[e], need.peak_share[e], size) for _, s, e in ends])
    return _hull(base), _hull(above)


def _hull(found: list[list[float]]) -> Span:
    return min(low for low, _ in found), max(high for _, high in found)


def _hours(gpus: Span, months: Span) -> Span:
    least, most = (gpus[end] * formulas.HOURS_PER_MONTH * months[end] for end in (0, 1))
    return least, most


def _rented(terms: Terms, offer: Offer, paid: ByTheHour) -> Line:
    hours = counted("paid_gpu_hours", *paid.hours, "GPU-hours")
    share = counted("share_paid", *share_paid(terms, is_listed(terms, offer, paid.price)), "")
    return line(paid.name, formulas.rent, [hours, terms.money(paid.price), share])


def is_listed(terms: Terms, offer: Offer, price: str) -> bool:
    """Whether a negotiated discount goes off: spot and one's own quotes are paid as they are."""
    return offer.listed and offer.prices.get(SPOT) != price and not terms.figures.is_told(price)


def share_paid(terms: Terms, listed: bool) -> Span:
    """What is left to pay after the discount off list prices."""
    low, high = terms.optional("finance.cloud_discount") if listed else (0.0, 0.0)
    return 1 - high, 1 - low


def data_lines(terms: Terms, need: Need, offer: Offer) -> list[Line]:
    """What the stored data and the data that leaves cost, where there are any."""
    stored, leaving = terms.optional("data.volume_tb"), terms.optional("data.egress_tb_per_month")
    currency = terms.facts["finance.currency"]
    if currency is None:  # which a price of one's own would miss, time and again
        return _moved(terms, need, offer, stored, leaving)
    key = ("data", need.months, offer.tier, stored, leaving, terms.facts["region"], currency)
    return terms.noted(key, lambda: _moved(terms, need, offer, stored, leaving))


def _moved(terms: Terms, need: Need, offer: Offer, stored: Span, leaving: Span) -> list[Line]:
    months = Input("months", "fact", *need.months, "months")
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
