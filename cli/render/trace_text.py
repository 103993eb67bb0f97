"""A trace in words, record by record; it shows what the file says and adds only the titles of facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rich.text import Text

from cli.strings import say
from engine.base import KnowledgeBase
from engine.faults import printable
from engine.trace import ASSUMPTION, Record


def trace_lines(records: Iterable[Record], base: KnowledgeBase, language: str) -> Iterator[Text]:
    """The lines of the whole trace."""
    reader = _Reader(base, language)
    for record in records:
        yield from reader.lines(record)


class _Reader:
    def __init__(self, base: KnowledgeBase, language: str) -> None:
        self.base = base
        self.language = language
        self.workload: object = None
        self.part: object = None
        self.house: frozenset[str] = frozenset()
        self._by_kind: Mapping[str, Callable[[Record], Iterator[Text]]] = {
            "header": self._header,
            "fact": self._fact,
            "firing": self._firing,
            "defeat": self._defeat,
            "division": self._plain,
            "silent": self._silent,
            "weighing": self._weighing,
            "verdict": self._plain,
            "end": self._plain,
        }

    def lines(self, record: Record) -> Iterator[Text]:
        """The record in words; one that this program would not have written stands as it is in the file."""
        try:
            yield from list(self._worded(record))
        except (AttributeError, KeyError, TypeError, ValueError):
            yield Text(_shown(record, self.language))

    def _worded(self, record: Record) -> Iterator[Text]:
        workload = record.get("workload")
        if workload is not None and workload != self.workload:
            self.workload = workload
            yield Text("")
            yield self._line("workload", "bold", number=int(workload) + 1)
        part = record.get("part")
        if part != self.part:
            self.part = part
            yield (
                self._line("part", "bold", part=part) if part else self._line("workload", number=int(workload or 0) + 1)
            )
        yield from self._by_kind.get(str(record.get("kind")), self._plain)(record)

    def _line(self, key: str, style: str = "", indent: int = 0, **params: Any) -> Text:
        shown = {name: _shown(value, self.language) for name, value in params.items()}
        return Text("  " * indent + say(f"audit.{key}", self.language, **shown), style=style)

    def _header(self, record: Record) -> Iterator[Text]:
        tool, engine = record["tool"], record["engine"]
        yield self._line(
            "header",
            "bold",
            tool=tool["name"],
            version=tool["version"],
            engine=engine["name"],
            engine_version=engine["version"],
            knowledge=record["knowledge"],
            profile=record["profile"],
        )
        if "house" in record:
            house = record["house"]
            self.house = frozenset(house["rules"])
            yield self._line("house", rules=", ".join(house["rules"]), digest=house["digest"])

    def _rule(self, name: str) -> str:
        """The rule's name, marked where the header lists it among the house rules."""
        return say("audit.house-rule", self.language, rule=printable(name)) if name in self.house else name

    def _fact(self, record: Record) -> Iterator[Text]:
        source, path = record["from"], record["path"]
        inputs = ", ".join([*source.get("inputs", {}), *source.get("figures", {})])
        origin = self._line(f"from-{source['kind']}", **{**source, "inputs": inputs}).plain
        if path.startswith(ASSUMPTION):
            yield self._line("assumption", path=path, value=record["value"], origin=origin)
            return
        fact = self.base.vocabulary.facts.get(path)
        title = fact.title[self.language] if fact else path
        yield self._line("fact", id=record["id"], title=title, path=path, value=record["value"], origin=origin)

    def _firing(self, record: Record) -> Iterator[Text]:
        rule, rows = self._rule(record["rule"]), ", ".join(record["rows"])
        yield self._line("firing", "green", cycle=record["cycle"], rule=rule, rows=rows)
        for test in record["conditions"]:
            if test["truth"] == "true":
                yield self._line(
                    "firing-condition",
                    indent=1,
                    id=test["id"],
                    path=test["fact"],
                    value=test["value"],
                    wanted=self._wanted(test["wanted"]),
                )
        yield self._line("firing-concludes", indent=1, conclusions=self._conclusions(record["conclusions"]))

    def _wanted(self, wanted: Record) -> str:
        """What a test asked for, in words."""
        if "none" in wanted:
            return say("audit.wanted-none", self.language, wanted=self._wanted(wanted["none"]))
        key, value = dict(wanted).popitem()
        values = value if isinstance(value, list) else [value]
        shown = say("audit.or", self.language).join(_shown(item, self.language) for item in values)
        return say(f"audit.wanted-{key}", self.language, value=shown)

    def _conclusions(self, conclusions: Record) -> str:
        """What a rule concluded, in words, part by part."""
        parts = []
        for key, value in conclusions.items():
            items = (
                [f"{name} = {_shown(one, self.language)}" for name, one in value.items()]
                if isinstance(value, dict)
                else value
            )
            parts.append(say(f"audit.concludes-{key}", self.language, items=printable(", ".join(map(str, items)))))
        return say("audit.and", self.language).join(parts)

    def _defeat(self, record: Record) -> Iterator[Text]:
        yield self._line("defeat", rule=self._rule(record["rule"]), defeated=self._rule(record["defeated"]))

    def _silent(self, record: Record) -> Iterator[Text]:
        truth = "true" if record.get("told") else record["truth"]
        yield self._line(f"silent-{truth}", "dim", rule=self._rule(record["rule"]))
        for test in record["conditions"]:
            if test["truth"] != "true":
                yield self._line(
                    "silent-condition",
                    "dim",
                    1,
                    path=test["fact"],
                    value=test["value"],
                    wanted=self._wanted(test["wanted"]),
                    truth=test["truth"],
                )

    def _weighing(self, record: Record) -> Iterator[Text]:
        yield self._line("weighing", "bold", scores=record["scores"])
        for item in record["evidence"]:
            yield self._line("evidence", indent=1, **{**item, "rule": self._rule(item["rule"])})
        for route, rules in record["exclusions"].items():
            yield self._line("exclusion", indent=1, route=route, rules=", ".join(map(self._rule, rules)))

    def _plain(self, record: Record) -> Iterator[Text]:
        style = "bold" if record["kind"] in ("verdict", "end") else ""
        yield self._line(record["kind"], style, **{k: v for k, v in record.items() if k != "kind"})


def _shown(value: Any, language: str) -> str:
    if value is None:
        return say("audit.nothing", language)
    if isinstance(value, str):
        return printable(value)
    return printable(json.dumps(value, ensure_ascii=False))
