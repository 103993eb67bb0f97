"""What several tests of the engine share: the tiny knowledge base, its formulas, short ways to ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from hypothesis import HealthCheck, settings

from engine.base import KnowledgeBase, load_base
from engine.figures import FigureValues, Formula
from engine.inference import Given, Source
from engine.loading import read_bytes
from engine.profile import Profile, ProfileReader, Workload
from engine.values import Interval, Value, bounds, interval

Number = float | Interval

TESTS = Path(__file__).parent.parent
TINY = TESTS / "tiny"


def _number(value: Value | None) -> Number | None:
    return None if isinstance(value, str | bool) else value


def ride_minutes(facts: Mapping[str, Value | None], figures: Mapping[str, Number]) -> Number | None:
    """Minutes in the saddle, from the quickest to the slowest pace."""
    way = _number(facts["trip.distance"])
    if way is None:
        return None
    (near, far), (slow, fast) = bounds(way), bounds(figures["ride_speed"])
    return interval(60 * near / fast, 60 * far / slow)


def spare_minutes(facts: Mapping[str, Value | None], _: Mapping[str, Number]) -> Number | None:
    """Minutes that are left after the ride, from the worst to the best case."""
    left, ride = _number(facts["trip.minutes_left"]), _number(facts["ride.minutes"])
    if left is None or ride is None:
        return None
    return interval(bounds(left)[0] - bounds(ride)[1], bounds(left)[1] - bounds(ride)[0])


def beyond_station(facts: Mapping[str, Value | None], _: Mapping[str, Number]) -> Number | None:
    """Kilometers that are left at the station, which is four away; none on a shorter way."""
    way = _number(facts["trip.distance"])
    if way is None:
        return None
    near, far = bounds(way)
    return interval(max(near - 4, 0.1), max(far - 4, 0.1))


def fare(facts: Mapping[str, Value | None], figures: FigureValues) -> Number | None:
    """What all people pay together on the line, in any class."""
    people, line = _number(facts["trip.people"]), facts["train.line"]
    each = [bounds(figures[name]) for name in figures.starting("fare.") if figures.attributes(name)["line"] == line]
    if people is None or not each:
        return None
    (few, many), back = bounds(people), bounds(figures.get("rebate") or 0.0)
    low, high = min(low for low, _ in each), max(high for _, high in each)
    return interval(few * low * (1 - back[1]), many * high * (1 - back[0]))


FORMULAS = (
    Formula("trip.beyond_station", {"trip.distance": 1}, (), beyond_station, "Q-1"),
    Formula("ride.minutes", {"trip.distance": 1}, ("ride_speed",), ride_minutes, "Q-1"),
    Formula("ride.spare_minutes", {"trip.minutes_left": 1, "ride.minutes": -1}, (), spare_minutes, "Q-1"),
    Formula("train.fare", {"trip.people": 1, "train.line": 0}, ("fare.*", "rebate"), fare, "B-1"),
)


def load_tiny(
    folder: Path = TINY, overlays: Iterable[Path] = (), rules_over: Path | str | None = None
) -> KnowledgeBase:
    """The tiny base, or a copy of it with something changed, with its formulas; overlays go over its figures.

    `rules_over` is a folder of house rules that go over its rules.
    """
    return load_base(
        folder, FORMULAS, "formulas of the tests", overlays, None if rules_over is None else str(rules_over)
    )


def profile_of(base: KnowledgeBase, text: str | bytes, name: str = "profile.yaml") -> Profile:
    """The profile that stands in the text."""
    data = text if isinstance(text, bytes) else text.encode()
    return ProfileReader(base.vocabulary).read(read_bytes(data, name))


def told(base: KnowledgeBase, values: Mapping[str, Value]) -> Mapping[str, Given]:
    """The values as facts that were told, in the order of the vocabulary."""
    return {path: Given(values[path], Source("answer")) for path in base.vocabulary.facts if path in values}


def profile_with(base: KnowledgeBase, *workloads: Mapping[str, Value]) -> Profile:
    """A profile of workloads that tell just these values."""
    return Profile(None, tuple(Workload(None, told(base, values)) for values in workloads))


def examples(number: int) -> settings:
    """So many examples, however slow the machine is just now."""
    return settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow])
