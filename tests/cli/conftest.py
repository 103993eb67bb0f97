"""What lies around a verdict takes longer than the verdict: only tests that look at it wait for it."""

from __future__ import annotations

import pytest

from cli.outlook import Outlook
from engine.consultation import Consultant, Consultation


def nothing_around(_: Consultant, consultation: Consultation, quick: bool = False) -> tuple[Outlook, ...]:
    del quick
    return tuple(Outlook() for _ in consultation.judgements)


@pytest.fixture(autouse=True)
def _outlook(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Left as it is where the module says `SHOWS_OUTLOOK = True`."""
    if not getattr(request.module, "SHOWS_OUTLOOK", False):
        for command in ("advise", "ask"):
            monkeypatch.setattr(f"cli.commands.{command}.outlooks", nothing_around)
