"""What goes wrong in experta as it comes does not go wrong behind the port."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

import pytest

from engine import experta_port
from engine.experta_port import (
    Conflict,
    Firing,
    LimitReached,
    Network,
    OnFire,
    Pattern,
    PortedEngine,
    Production,
)

experta: Any = import_module("experta")


@lru_cache(typed=True)
def only(wanted: object) -> Callable[[object], bool]:
    return lambda value: type(value) is type(wanted) and value == wanted


def production(name: str, salience: int = 0, /, **wanted: object) -> Production:
    return Production(name, tuple(Pattern(path, only(value)) for path, value in wanted.items()), salience)


def noting(names: list[str], inferred: Mapping[str, object] | None = None) -> OnFire:
    """Notes the name of what fires; answers the same, whatever fires."""

    def on_fire(firing: Firing) -> list[tuple[str, object]]:
        names.append(firing.production)
        return list((inferred or {}).items())

    return on_fire


def fired(network: Network, /, **facts: object) -> list[str]:
    names: list[str] = []
    network.run(facts.items(), noting(names), 1000)
    return names


def python(code: str, **environment: str) -> str:
    """What a fresh Python prints in which every warning is an error."""
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def test_importing_leaves_the_root_logger_and_collections_as_they_were() -> None:
    told = "print(len(logging.getLogger().handlers), hasattr(collections, 'Mapping'))"
    code = f"import collections, logging; import engine.experta_port; {told}"
    assert python(code) == "0 False\n"
    assert python(code.replace(";", "; logging.basicConfig();", 1)) == "1 False\n"


def test_another_version_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experta, "__version__", "1.9.5")
    with pytest.raises(ImportError, match=r"found experta 1\.9\.5, where 1\.9\.4 is wanted"):
        experta_port.import_experta()


def test_an_experta_that_lacks_a_requirement_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(experta, "KnowledgeEngine")
    with pytest.raises(ImportError, match=r"found experta 1\.9\.4 without KnowledgeEngine"):
        experta_port.import_experta()


def test_without_experta_the_version_wanted_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "experta", None)
    with pytest.raises(ImportError, match=r"experta 1\.9\.4 is wanted, and there is none"):
        experta_port.import_experta()


def stopping_rules(log: list[str], tied: int) -> Iterator[Any]:
    """Tied rules that hold only until another, which fires before them, declares a fact."""

    def conclusion(name: str) -> Callable[..., None]:
        def right_hand_side(engine: Any, **_bound: object) -> None:
            log.append(name)
            if name == "stop":
                engine.declare(experta.Fact(stop=True))

        right_hand_side.__name__ = name
        return right_hand_side

    yield experta.Rule(experta.Fact(go=True), salience=1)(conclusion("stop"))
    for number in range(tied):
        conditions = experta.Fact(go=True), experta.NOT(experta.Fact(stop=True))
        yield experta.Rule(*conditions)(conclusion(f"tied {number}"))


def test_a_withdrawn_activation_never_fires() -> None:
    log: list[str] = []
    for _ in range(20):
        engine = PortedEngine(stopping_rules(log, tied=12))
        engine.reset()
        engine.declare(experta.Fact(go=True))
        engine.run()
    assert log == ["stop"] * 20


def test_the_listener_sees_what_came_and_what_was_withdrawn_in_the_order_of_firing() -> None:
    engine = PortedEngine(stopping_rules([], tied=3))
    seen: list[list[str]] = []
    engine.strategy.listener = lambda *changes: seen.extend([a.rule.__name__ for a in change] for change in changes)
    engine.reset()
    engine.declare(experta.Fact(go=True))
    engine.run()
    tied = ["tied 0", "tied 1", "tied 2"]
    assert seen == [["stop", *tied], [], [], tied]


def test_an_engine_is_of_use_again_after_a_predicate_or_a_rule_raised() -> None:
    def raising(_engine: object) -> None:
        raise LookupError

    wanted = experta.Fact(a=1), experta.Fact(b=experta.P(lambda b: 1 // b == 1))
    engine = PortedEngine(experta.Rule(pattern)(raising) for pattern in wanted)
    engine.reset()
    with pytest.raises(ZeroDivisionError):
        engine.declare(experta.Fact(a=1), experta.Fact(b=0))
    with pytest.raises(LookupError):  # the activation by the first fact is not lost
        engine.run()
    assert not engine.running


def test_salience_then_the_order_of_the_productions_decides_what_fires_first() -> None:
    network = Network([*(production(name, x=1) for name in "bdac"), production("top", 5, y=1)])
    assert fired(network, x=1, y=1) == fired(network, y=1, x=1) == ["top", "b", "d", "a", "c"]


ORDER = """
from engine.experta_port import *
tests = [lambda value, bit=bit: value >> bit & 1 == 1 for bit in range(6)]
pairs = [(one, other) for one in range(6) for other in range(6)]
network = Network([Production(str(p), tuple(Pattern(f"p{n}", tests[n]) for n in p), 0) for p in pairs])
network.run([(f"p{n}", 63) for n in range(5)], lambda firing: print(firing) or [("p5", 63)], 100)
"""


def test_the_firings_are_the_same_for_every_hash_seed() -> None:
    outputs = {python(ORDER, PYTHONHASHSEED=seed) for seed in ("0", "1", "77", "random")}
    assert [output.count("Firing") for output in outputs] == [36]


def test_a_firing_names_its_facts_by_path() -> None:
    network = Network([production("both", b=2, a=1), production("self", self=1)])
    firings: list[tuple[str, list[tuple[str, int]]]] = []

    def on_fire(firing: Firing) -> list[tuple[str, object]]:
        firings.append((firing.production, list(firing.facts.items())))
        return []

    network.run([("a", 1), ("c", 0), ("b", 2), ("self", 1)], on_fire, 10)
    ids = network.ids
    assert list(ids) == ["a", "c", "b", "self"]
    assert firings == [("both", [("b", ids["b"]), ("a", ids["a"])]), ("self", [("self", ids["self"])])]


def test_two_tests_of_one_path_must_both_pass() -> None:
    above, below = (lambda value: value > 1), (lambda value: value < 5)
    patterns = Pattern("x", above), Pattern("x", below), Pattern("x", above)
    network = Network([Production("between", patterns, 0)])
    assert [fired(network, x=x) for x in (1, 3, 5)] == [[], ["between"], []]


def test_an_inferred_answer_fires_what_reads_it_once() -> None:
    network = Network([production("reader", b=2), production("infers", a=1), production("agrees", a=1)])
    names: list[str] = []
    network.run([("a", 1)], noting(names, {"b": 2, "a": 1}), 10)
    assert names == ["infers", "reader", "agrees"]
    assert list(network.ids) == ["a", "b"]


def test_one_and_true_and_one_point_zero_are_three_answers() -> None:
    network = Network([production("whole", x=1), production("flag", x=True), production("real", x=1.0)])
    assert [fired(network, x=x) for x in (1, True, 1.0)] == [["whole"], ["flag"], ["real"]]
    with pytest.raises(Conflict):
        network.run([("x", 1), ("x", True)], noting([]), 10)


def test_a_second_value_is_a_conflict_that_names_both_and_the_production() -> None:
    network = Network([production("infers", a=1)])
    with pytest.raises(Conflict) as caught:
        network.run([("a", 1), ("b", 2)], noting([], {"b": 3}), 10)
    conflict = caught.value
    assert (conflict.path, conflict.old, conflict.new, conflict.production) == ("b", 2, 3, "infers")
    with pytest.raises(Conflict, match="a is 1, and an answer given says 2"):
        network.run([("a", 1), ("a", 2)], noting([]), 10)


def test_the_limit_stops_before_the_first_firing_too_many() -> None:
    network = Network([production(name, x=1) for name in "abc"])
    network.run([("x", 1)], noting([]), 3)
    with pytest.raises(LimitReached) as caught:
        network.run([("x", 1)], noting([]), 2)
    assert caught.value.production == "c"


def test_a_second_stage_goes_on_in_the_same_memory_unless_the_first_failed() -> None:
    network = Network([production("late", a=1, verdict=2), production("early", a=1)])
    names = fired(network, a=1)
    network.resume([("verdict", 2)], noting(names), 1)
    assert names == ["early", "late"]
    with pytest.raises(Conflict):
        network.resume([("a", 2)], noting([]), 10)
    with pytest.raises(RuntimeError, match="no finished run"):
        network.resume([], noting([]), 10)


def test_after_an_exception_the_network_runs_as_if_nothing_had_been() -> None:
    raising = Pattern("y", lambda value: 1 // int(str(value)) == 1)
    network = Network([production("a", x=1), Production("b", (raising, Pattern("x", only(1))), 0)])
    for told, inferred in ({"x": 1, "y": 0}, {}), ({"x": 1}, {"y": 0}):
        with pytest.raises(ZeroDivisionError):
            network.run(told.items(), noting([], inferred), 10)
        assert fired(network, x=2, y=2) == []
        assert fired(network, x=1, y=1) == ["a", "b"]


def test_a_network_cannot_be_run_from_inside_its_own_firing() -> None:
    network = Network([production("a", x=1)])
    with pytest.raises(RuntimeError, match="inside"):
        network.run([("x", 1)], lambda _: [("names", fired(network))], 10)
    assert fired(network, x=1) == ["a"]


def test_productions_need_a_name_of_their_own_and_a_pattern() -> None:
    with pytest.raises(ValueError, match="two productions are named a"):
        Network([production("a", x=1), production("a", y=1)])
    with pytest.raises(ValueError, match="a has no pattern"):
        Network([production("a")])


def test_two_networks_used_in_turn_do_not_meet() -> None:
    one, other = Network([production("one", x=1)]), Network([production("other", x=1)])
    assert [fired(network, x=1) for network in (one, other, one, other)] == [["one"], ["other"]] * 2


def test_threads_that_share_a_network_each_get_their_own_case() -> None:
    network = Network([production(f"{path} {value}", **{path: value}) for value in range(8) for path in "xy"])
    seen: dict[int, list[str]] = {value: [] for value in range(8)}

    def work(value: int) -> None:
        for _ in range(25):
            with network:
                seen[value] += fired(network, x=value)
                network.resume([("y", value)], noting(seen[value]), 10)

    threads = [threading.Thread(target=work, args=(value,)) for value in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {value: [f"x {value}", f"y {value}"] * 25 for value in range(8)}


def kept(work: Callable[[], object], times: int) -> int:
    """The bytes that are held after the work was done so many times."""
    tracemalloc.start()
    for _ in range(times):
        work()
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held


def test_neither_runs_nor_networks_leave_memory_behind() -> None:
    def made() -> Network:
        return Network([production(f"{path}{value}", **{path: value, "z": 1}) for path in "ab" for value in (1, 2)])

    network = made()
    for work in made, lambda: fired(network, a=1, b=2, z=1):
        kept(work, 5)
        assert kept(work, 105) - kept(work, 5) < 10_000


def test_the_same_tests_share_a_node_and_the_same_beginnings_a_join() -> None:
    def nodes(*productions: Production) -> int:
        return len(Network(productions)._engine.matcher._all_nodes)

    one, two, three = production("1", a=1, b=2), production("2", a=1, b=2), production("3", a=1, b=2, c=3)
    assert nodes(one, two) == nodes(one) + 1
    assert nodes(one, three) == nodes(three) + 1
