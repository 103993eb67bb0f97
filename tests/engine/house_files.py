"""A house over the bicycle base: the texts of its files, and how a test lays it down."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

GUIDANCE = """\
schema: 1
documents:
  - id: M
    title: {en: What mother says, zh: 母亲的话}
rows:
  - id: M-1
    section: "1"
    kind: exclusion
    statement: {en: No bicycle in the dark half of the year., zh: 冬半年不准骑车。}
"""
ADVICE = """\
schema: 1
advice:
  - id: house.ask-mother
    kind: gap
    text: {en: "Ask mother about the {trip.distance}.", zh: "这 {trip.distance} 要问母亲。"}
"""
WINTER = """\
  - id: house.no-riding-in-winter
    title: {en: No riding in winter, zh: 冬天不骑车}
    source: [M-1]
    when:
      season: winter
    then:
      excludes: [bicycle]
    because: {en: Mother said so., zh: 母亲说的。}
    cases:
      - {name: in January, given: {season: winter}, outcome: fires}
      - {name: in July, given: {season: summer}, outcome: silent}
      - {name: on some day, given: {}, outcome: undecided}
"""
ASK = """\
  - id: house.mother-knows
    title: {en: Mother knows the way, zh: 母亲认得路}
    source: [M-1]
    when:
      all: [known: trip.distance, verdict.route: train]
    then:
      advises: [house.ask-mother]
    because: {en: She rode it., zh: 她骑过。}
    cases:
      - {name: by train, given: {verdict.route: train, trip.distance: 7}, outcome: fires}
      - {name: by bicycle, given: {verdict.route: bicycle, trip.distance: 7}, outcome: silent}
      - {name: no verdict, given: {trip.distance: 7}, outcome: undecided}
"""
STRIKE = """\
  - id: house.trains-are-never-on-strike
    title: {en: Our trains are never on strike, zh: 我们的火车从不罢工}
    source: [B-1]
    when:
      season: summer
    then:
      defeats: [ways.no-trains-on-strike]
    because: {en: The line is ours., zh: 铁路是自家的。}
    cases:
      - {name: in July, given: {season: summer}, outcome: fires}
      - {name: in January, given: {season: winter}, outcome: silent}
      - {name: on some day, given: {}, outcome: undecided}
"""
HEAD = "schema: 1\nrules:\n"
WHOLE = {
    "guidance.yaml": GUIDANCE,
    "advice.yaml": ADVICE,
    "winter.yaml": HEAD + WINTER + ASK,
    "strike.yaml": HEAD + STRIKE,
}


def house_at(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder of house rules with these files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
