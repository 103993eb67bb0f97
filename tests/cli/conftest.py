"""What lies around a verdict, and the search behind its status, take longer than the verdict itself.

Only tests that look at the former wait for it; those of widths, files of figures and costs, which look at neither, go
without the search as well.
"""

from __future__ import annotations

import pytest

from cli.outlook import Outlook
from engine.consultation import Consultant, Consultation

WITHOUT_SEARCH = ("test_console", "test_cost", "test_cost_hard", "test_cost_sums", "test_figures", "test_hard_profiles")


def nothing_around(_: Consultant, consultation: Consultation, quick: bool = False) -> tuple[Outlook, ...]:
    del quick
    return tuple(Outlook() for _ in consultation.judgements)


@pytest.fixture(autouse=True)
def _outlook(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Left as it is where the module says `SHOWS_OUTLOOK = True`."""
    if not getattr(request.module, "SHOWS_OUTLOOK", False):
        for command in ("advise", "ask"):
            monkeypatch.setattr(f"cli.commands.{command}.outlooks", nothing_around)
    if request.module.__name__.rpartition(".")[2] in WITHOUT_SEARCH:
        monkeypatch.setattr(Consultant, "_search", None)
