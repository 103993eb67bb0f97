"""What rules wait for: which facts decide a condition, told or computed ones, through whatever is inferred."""

from __future__ import annotations

from collections.abc import Iterable

from engine.base import KnowledgeBase
from engine.language import Condition, facts_read


class Reach:
    """The facts that bear on the rules of one knowledge base before the verdict, and on its ties."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self._paths: dict[str, frozenset[str]] = {}

    def condition(self, condition: Condition) -> frozenset[str]:
        """The told and computed facts on which the condition hangs."""
        return _together(self._path(path) for path in facts_read(condition))

    def _path(self, path: str) -> frozenset[str]:
        if path not in self._paths:
            own = frozenset({path}) if self.base.vocabulary.facts[path].origin in ("told", "computed") else frozenset()
            rules = self.base.ordered.inferring.get(path, ())
            self._paths[path] = own | _together(self.condition(self.base.rules[name].when) for name in rules)
        return self._paths[path]


def _together(parts: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*parts)
