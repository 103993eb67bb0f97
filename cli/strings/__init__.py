"""The wording of the interface: whole sentences with placeholders, the same keys in every language.

A file `SECTION.LANGUAGE.yaml` holds the keys of one section; `say("section.key", language)` speaks one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources


def say(key: str, language: str, /, **params: object) -> str:
    """One sentence in one language, its placeholders filled. Raises KeyError for a key that is not there."""
    section, _, name = key.partition(".")
    return sentences(section, language)[name].format_map(params)


@cache
def sentences(section: str, language: str) -> Mapping[str, str]:
    """Every sentence of one section in one language."""
    import yaml

    text = resources.files("cli.strings").joinpath(f"{section}.{language}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, str] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded
