"""What is judged in the measurements: the shipped examples, a profile that tells nothing, and one that tells all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cli.commands.session import profile_reader, read_profile
from engine.loading import read_bytes
from engine.profile import Profile, Setting
from engine.vocabulary import FactType

EXAMPLES = Path(__file__).parent.parent / "examples"
NOTHING = b"profile: 1\n"


def measured_profiles() -> Mapping[str, Profile]:
    """Every profile by its name: examples in the order of their names, then the emptiest and the fullest."""
    shipped = {path.stem: read_profile(str(path)) for path in sorted(EXAMPLES.glob("*.yaml"))}
    return {**shipped, "(nothing told)": _with(), "(every fact told)": _with(*_everything())}


def facts_told(profile: Profile) -> int:
    return sum(len(workload.facts) for workload in profile.workloads)


def _with(*settings: Setting) -> Profile:
    return profile_reader().read(read_bytes(NOTHING, "measured.yaml"), settings)


def _everything() -> list[Setting]:
    return [Setting(fact.path, _value(fact)) for fact in profile_reader().vocabulary.told()]


def _value(fact: FactType) -> str:
    """The fact's own example, or else its first value."""
    if fact.kind == "flag":
        return "yes"
    return fact.choices[0].value if fact.choices else fact.example
