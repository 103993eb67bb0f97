"""Knowledge bases and consultants, each built once."""

from __future__ import annotations

import pytest

from engine.base import KnowledgeBase
from engine.consultation import Consultant
from knowledge import knowledge_base
from tests.engine.helpers import load_tiny


@pytest.fixture(scope="session")
def tiny() -> KnowledgeBase:
    return load_tiny()


@pytest.fixture(scope="session")
def tiny_consultant(tiny: KnowledgeBase) -> Consultant:
    return Consultant(tiny)


@pytest.fixture(scope="session")
def tiny_by_bounds(tiny: KnowledgeBase) -> Consultant:
    return Consultant(tiny, search=None)


@pytest.fixture(scope="session")
def real() -> KnowledgeBase:
    return knowledge_base()


@pytest.fixture(scope="session")
def real_consultant(real: KnowledgeBase) -> Consultant:
    return Consultant(real)


@pytest.fixture(scope="session")
def real_by_bounds(real: KnowledgeBase) -> Consultant:
    """Quicker, and to the same routes: what says less of how sure they are."""
    return Consultant(real, search=None)
