"""Changes that would change the route, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from cli.strings import say
from engine.base import KnowledgeBase
from engine.vocabulary import FactType

if TYPE_CHECKING:
    from engine.confirming import Confirmed
    from engine.flip_parts import Change
    from engine.limits import Limit


class FlipWords:
    """The sentences on flips of one knowledge base in one language; `route` says a route with its form."""

    def __init__(self, base: KnowledgeBase, language: str, route: Callable[[str | None, str | None], str]) -> None:
        self.base = base
        self.language = language
        self.route = route

    def merged(self, found: Iterable[Confirmed]) -> list[list[Confirmed]]:
        """Flips that differ in one word alone and lead to the same verdict, together."""
        groups: list[list[Confirmed]] = []
        for one in found:
            group = next((group for group in groups if _differ_in_a_word([*group, one])), None)
            if group is None:
                groups.append([one])
            else:
                group.append(one)
        return groups

    def line(self, alike: Sequence[Confirmed]) -> str:
        """The changes, and the route that comes of them."""
        judgement = alike[0].judgement
        return self._say("leads-to", changes=self.changes(alike), route=self.route(judgement.route, judgement.form))

    def status(self, found: Confirmed) -> str:
        return self.base.routes.statuses[found.judgement.status].title[self.language]

    def changes(self, alike: Sequence[Confirmed]) -> str:
        """The changes of flips that may differ in one word."""
        each = [self._change(changes) for changes in zip(*(one.flip.changes for one in alike), strict=True)]
        return each[0] if len(each) == 1 else self._say("both", one=each[0], other=each[1])

    def trigger(self, found: Confirmed) -> str:
        """At which value of the one number that changes to ask again."""
        (change,) = found.flip.changes
        fact = self.base.vocabulary.facts[change.path]
        return self._say("trigger", fact=fact.title[self.language], after=self._after(change, fact))

    def _change(self, alike: Sequence[Change]) -> str:
        change = alike[0]
        fact = self.base.vocabulary.facts[change.path]
        title, each = fact.title[self.language], list(dict.fromkeys(self._after(one, fact) for one in alike))
        after = each[0] if len(each) == 1 else self._say("or", some=self._say("comma").join(each[:-1]), last=each[-1])
        if change.before is None:
            return self._say("told", fact=title, after=after)
        return self._say("changed", fact=title, before=fact.show(change.before, self.language).strip(), after=after)

    def _after(self, change: Change, fact: FactType) -> str:
        """The values that do it: a word, or from where to where numbers do."""
        low, high = change.low, change.high
        if low is None and high is None:
            return fact.show(change.value, self.language).strip()
        if low is not None and high is not None:
            if low.number == high.number:
                return self._number(low, fact)
            key = f"within-{_kind(low)}-{_kind(high)}"
            return self._say(key, low=self._number(low, fact), high=self._number(high, fact))
        if low is not None:
            return self._say(f"from-{_kind(low)}", number=self._number(low, fact))
        assert high is not None
        return self._say(f"to-{_kind(high)}", number=self._number(high, fact))

    def _number(self, limit: Limit, fact: FactType) -> str:
        return fact.show(limit.number, self.language).strip()

    def _say(self, key: str, **params: object) -> str:
        return say(f"flip.{key}", self.language, **params)


def _differ_in_a_word(flips: Sequence[Confirmed]) -> bool:
    """Whether all have the same facts and the same verdict, and one word at most is not the same."""
    verdicts = {(one.judgement.route, one.judgement.form, one.judgement.status) for one in flips}
    paths = {tuple(change.path for change in one.flip.changes) for one in flips}
    if len(verdicts) > 1 or len(paths) > 1:
        return False
    apart = [
        set(changes) for changes in zip(*(one.flip.changes for one in flips), strict=True) if len(set(changes)) > 1
    ]
    return len(apart) <= 1 and all(isinstance(change.value, str) for changes in apart for change in changes)


def _kind(limit: Limit) -> str:
    return "closed" if limit.closed else "open"
