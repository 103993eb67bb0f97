"""House rules: rules of one's own in a folder, laid over a knowledge base and checked as its own rules are.

Every *.yaml file directly in the folder is a file of rules, but for guidance.yaml (statements of one's own, which the
rules cite) and advice.yaml (advice items of one's own). Names that begin with a dot are passed over.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.faults import FaultError, Place, Report, fail
from engine.guidance import read_advice, read_guidance
from engine.language import Rule
from engine.loading import Node, plain, read_file
from engine.rules_file import Surroundings, read_rules

if TYPE_CHECKING:
    from engine.base import KnowledgeBase

_GUIDANCE, _ADVICE = "guidance.yaml", "advice.yaml"
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*")


@dataclass(frozen=True)
class House:
    """The house rules that lie over a knowledge base: ids in the order of files and lines, and what the files say.

    `folder` is as it was typed; `digest` is SHA-256 over what the files say, wherever the folder stands.
    """

    folder: str = field(compare=False)
    digest: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class HouseFiles:
    """The files of a folder of house rules by their name in it, in a fixed order."""

    folder: str
    nodes: Mapping[str, Node]

    @property
    def said(self) -> list[Any]:
        """What the files say, without layout, comments and the folder's own name."""
        return [[name, plain(node)] for name, node in self.nodes.items()]

    @property
    def rule_nodes(self) -> list[Node]:
        return [node for name, node in self.nodes.items() if name not in (_GUIDANCE, _ADVICE)]


def read_house(folder: str | None) -> HouseFiles | None:
    """The files of the folder, or None for none. Raises FaultError with all that cannot be read.

    Places name each file below the folder as that was typed.
    """
    if folder is None:
        return None
    if not folder.strip():  # an empty path would be the folder that one happens to stand in
        raise fail("house-missing", Place("''"))
    report, nodes = Report(), {}
    for name in _listed(folder, report):
        try:
            nodes[name] = read_file(Path(folder) / name, str(Path(folder) / name))
        except FaultError as error:
            report.extend(error.faults)
    report.check()
    found = HouseFiles(folder, nodes)
    if not found.rule_nodes:
        raise fail("house-empty", Place(folder))
    return found


def _listed(folder: str, report: Report) -> list[str]:
    """The names of the folder's YAML files by their characters' codes, which are the same on every platform."""
    try:
        names = sorted(path.name for path in Path(folder).iterdir() if not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError) as error:
        key = "house-not-a-folder" if Path(folder).exists() else "house-missing"
        raise fail(key, Place(folder)) from error
    except (OSError, ValueError) as error:
        raise fail("cannot-read", Place(folder), reason=getattr(error, "strerror", None) or str(error)) from error
    for name in names:
        if not name.endswith(".yaml") and name.lower().endswith((".yml", ".yaml")):
            report.add("house-ending", Place(str(Path(folder) / name)))
    return [name for name in names if name.endswith(".yaml")]


def with_house(around: Surroundings, files: HouseFiles | None, report: Report) -> Surroundings:
    """What rules may speak of, with the statements and advice of the house; their ids must be new."""
    if files is None:
        return around
    guidance, advice = files.nodes.get(_GUIDANCE), files.nodes.get(_ADVICE)
    return replace(
        around,
        guidance=read_guidance(guidance, report, around.guidance) if guidance else around.guidance,
        advice=read_advice(advice, report, around.advice) if advice else around.advice,
    )


def house_rules(files: HouseFiles | None, around: Surroundings, report: Report) -> list[Rule]:
    """The rules of all files of the house, each marked as such."""
    if files is None:
        return []
    found = [replace(rule, house=True) for node in files.rule_nodes for rule in read_rules(node, around, report)]
    if not found and not report.faults:
        report.add("house-empty", Place(files.folder))
    return found


def house_of(files: HouseFiles | None, rules: Iterable[Rule]) -> House | None:
    """The house rules among the rules, or None where no folder was laid over."""
    if files is None:
        return None
    text = json.dumps(files.said, sort_keys=True, ensure_ascii=True)
    digest = "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()
    return House(files.folder, digest, tuple(rule.id for rule in rules if rule.house))


def check_house_names(base: KnowledgeBase, report: Report) -> None:
    """A house rule's id is well formed, and names no fact, route, tie, division or sum besides."""
    taken = {path: str(fact.place) for path, fact in base.vocabulary.facts.items()}
    taken |= {division.id: str(division.place) for division in base.divisions}
    taken |= {total.id: str(total.place) for total in base.sums}
    taken |= dict.fromkeys(
        [*(route.id for route in base.routes.routes), *(tie.id for tie in base.routes.ties)], "routes.yaml"
    )
    for rule in base.written:
        if rule.house and not _ID.fullmatch(rule.id):
            report.add("bad-id", rule.place, typed=rule.id)
        if rule.house and rule.id in taken:
            report.add("duplicate-id", rule.place, id=rule.id, first=taken[rule.id])
