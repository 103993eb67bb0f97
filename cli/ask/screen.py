"""The questionnaire as a form in the terminal.

The open question is drawn where the cursor is, and gives way to one line with its answer. The form takes no more of the
screen than it needs, so that what stood there before stays, and the answers stand in the terminal's history.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, NoReturn, TextIO

from cli.ask.conversation import Row, Tone
from cli.ask.dialogue import Question
from cli.ask.typed import Wish
from cli.ask.wording import UNKNOWN_KEY, Entry, Why, entries, head, hint, place_of
from cli.ask.wrapping import columns_of, padded, side_by_side, wrapped
from cli.render.wrapping import cells
from cli.strings import say

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout import Container
    from prompt_toolkit.output import Output
    from prompt_toolkit.styles import BaseStyle

_MOVES = {"up": -1, "c-p": -1, "s-tab": -1, "down": 1, "c-n": 1, "tab": 1, "pageup": -10, "pagedown": 10}
_WISHES = {
    **dict.fromkeys(("?", "？"), "?"),
    **dict.fromkeys(("<", "left", "c-b", "＜", "《"), "<"),
    **dict.fromkeys((">", "right", "＞", "》"), ">"),
    **dict.fromkeys(("q", "Q", "ｑ"), "q"),
}
_ENDS: dict[str, type[BaseException]] = {
    "c-c": KeyboardInterrupt,
    "<sigint>": KeyboardInterrupt,
    "c-d": EOFError,
}
_STYLES = {
    "heading": "bold ansicyan",
    "record": "",
    "note": "ansiyellow",
    "help": "",
    "head": "ansicyan",
    "question": "bold",
    "chosen": "bold",
    "quiet": "",
    "keys": "",
    "reason": "bold ansired",
}


class ScreenFace:
    """Asks in a form of prompt_toolkit. The mouse is left to the terminal."""

    def __init__(self, source: TextIO, target: TextIO, language: str) -> None:
        self._language = language
        self._input = _input_of(source)
        self._output = _output_of(target)

    def open(self) -> AbstractContextManager[None]:
        """The terminal is kept from echoing what is typed while no form is open; the next form gets it."""
        return _terminal_kept(self._input)

    def ask(self, question: Question, reason: str) -> str:
        if question.fact.values:
            return self._ask_list(question, reason)
        return self._ask_value(question, reason)

    def review(self, rows: Sequence[Row], reason: str) -> str:
        language = self._language
        finish = Entry("", say("ask.finish", language))
        listed = [Entry(str(row.number), row.title, row.answer) for row in rows]
        form = _ListForm([finish, *listed], 0, say("ask.keys-review", language))
        form.above = [("quiet", " "), ("head", say("ask.review", language)), ("reason", reason)]
        return form.run(self._input, self._output)

    def tell(self, text: str, tone: Tone = "note") -> None:
        before = [""] if tone == "heading" else []
        self._print([*before, *wrapped(text, _columns(self._output))], tone)

    def explain(self, reasons: Why) -> None:
        columns = _columns(self._output)
        self._print(["", *wrapped(reasons.help, columns), *wrapped(reasons.lead, columns)], "help")
        for line in reasons.rules:
            self._print(wrapped(line, columns, "  - "), "help")

    def _ask_list(self, question: Question, reason: str) -> str:
        listed = entries(question.fact, self._language)
        keys = say("ask.keys-list", self._language, last=len(listed) - 1)
        form = _ListForm(listed, place_of(question), keys)
        form.above = self._above(question, reason)
        return form.run(self._input, self._output)

    def _ask_value(self, question: Question, reason: str) -> str:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import DummyHistory

        parts = [*self._above(question, reason), ("quiet", hint(question.fact, self._language))]
        parts.append(("keys", say("ask.keys-value", self._language)))
        parts.append(("quiet", self._so_far(question)))

        def message() -> StyleAndTextTuples:
            return [*_drawn(parts, _columns(self._output)), ("class:chosen", "> ")]

        prompt: PromptSession[str] = PromptSession(
            message,
            input=self._input,
            output=self._output,
            style=_style(),
            history=DummyHistory(),
            erase_when_done=True,
            mouse_support=False,
            reserve_space_for_menu=0,
        )
        typed = prompt.prompt()
        return Wish.FORWARD.value if question.asked and not typed.strip() else typed

    def _so_far(self, question: Question) -> str:
        if question.answer is None:
            return say("ask.enter-unknown", self._language)
        return say("ask.enter-keeps", self._language, answer=question.fact.show(question.answer, self._language))

    def _above(self, question: Question, reason: str) -> list[tuple[str, str]]:
        asked = question.fact.question[self._language]
        return [("quiet", " "), ("head", head(question, self._language)), ("question", asked), ("reason", reason)]

    def _print(self, lines: Iterable[str], tone: str) -> None:
        from prompt_toolkit import print_formatted_text
        from prompt_toolkit.formatted_text import FormattedText

        text = FormattedText([(f"class:{tone}", "\n".join(lines))])
        print_formatted_text(text, output=self._output, style=_style())


class _ListForm:
    """Entries with a pointer: moved by arrows, by the number of an entry, or by its sign; Enter chooses."""

    def __init__(self, listed: Sequence[Entry], place: int, keys: str) -> None:
        self._listed = listed
        self._place = place
        self._keys = keys
        self._digits = ""
        self.above: list[tuple[str, str]] = []

    def run(self, source: Input, target: Output) -> str:
        """The key of the entry that was chosen, or the sign of a wish."""
        from prompt_toolkit import Application
        from prompt_toolkit.layout import HSplit, Layout

        def head_lines() -> StyleAndTextTuples:
            return _drawn(self.above, _columns(target))

        def foot_lines() -> StyleAndTextTuples:
            return _drawn([("keys", self._keys)], _columns(target))

        rows = [_fixed(head_lines), self._list_window(target), _fixed(foot_lines)]
        application: Application[str] = Application(
            layout=Layout(HSplit(rows)),
            key_bindings=self._bindings(),
            input=source,
            output=target,
            style=_style(),
            mouse_support=False,
            full_screen=False,
            erase_when_done=True,
        )
        return application.run()

    def _list_window(self, target: Output) -> Container:
        from prompt_toolkit.data_structures import Point
        from prompt_toolkit.layout import FormattedTextControl, ScrollOffsets, Window

        def lines() -> StyleAndTextTuples:
            return _joined(line for number in range(len(self._listed)) for line in self._lines(number, target))

        def cursor() -> Point:
            return Point(x=0, y=sum(len(self._lines(number, target)) for number in range(self._place)))

        control = FormattedTextControl(lines, focusable=True, show_cursor=False, get_cursor_position=cursor)
        return Window(control, scroll_offsets=ScrollOffsets(top=2, bottom=3), dont_extend_height=True)

    def _lines(self, number: int, target: Output) -> list[tuple[str, str]]:
        """One entry, drawn: pointer, key, label, and behind it (or below it, where it is narrow) what it means."""
        entry, columns = self._listed[number], _columns(target)
        chosen = number == self._place
        lead = f"{'>' if chosen else ' '} {entry.key:>2}  "
        label = min(max(cells(e.label) for e in self._listed), max(columns // 2 - 8, 16))
        style = "class:chosen" if chosen else ""
        if not entry.implies or cells(entry.label) > label:
            below = wrapped(entry.implies, columns, " " * 8) if entry.implies else []
            return [(style, line) for line in [*wrapped(entry.label, columns, lead), *below]]
        return [(style, line) for line in wrapped(entry.implies, columns, lead + padded(entry.label, label + 2))]

    def _bindings(self) -> KeyBindings:
        from prompt_toolkit.key_binding import KeyBindings

        bindings = KeyBindings()
        for key, steps in _MOVES.items():
            bindings.add(key)(self._moving(steps))
        for key in (*"0123456789", UNKNOWN_KEY, "－"):
            bindings.add(key)(self._pointing)
        for key, typed in _WISHES.items():
            bindings.add(key)(_leaving(typed))
        for key, error in _ENDS.items():
            bindings.add(key)(_failing(error))
        bindings.add("home")(self._moving(-len(self._listed)))
        bindings.add("end")(self._moving(len(self._listed)))
        bindings.add("enter")(self._choosing)
        bindings.add("c-j")(self._choosing)
        return bindings

    def _moving(self, steps: int) -> Callable[[KeyPressEvent], None]:
        """Moves the pointer by so many steps: single steps go round, wide ones stop at the end."""

        def move(event: KeyPressEvent) -> None:  # noqa: ARG001  # a key binding is called with it
            self._digits = ""
            last = len(self._listed) - 1
            to = self._place + steps
            self._place = to % (last + 1) if abs(steps) == 1 else min(max(to, 0), last)

        return move

    def _pointing(self, event: KeyPressEvent) -> None:
        """Moves the pointer to the entry whose key was typed; digits in a row make one number."""
        keys = [entry.key for entry in self._listed]
        typed = event.data.replace("－", UNKNOWN_KEY)
        self._digits = next((made for made in (self._digits + typed, typed) if made in keys), "")
        if self._digits:
            self._place = keys.index(self._digits)

    def _choosing(self, event: KeyPressEvent) -> None:
        event.app.exit(result=self._listed[self._place].key)


def _leaving(typed: str) -> Callable[[KeyPressEvent], None]:
    return lambda event: event.app.exit(result=typed)


def _failing(error: type[BaseException]) -> Callable[[KeyPressEvent], None]:
    return lambda event: event.app.exit(exception=error)


def _fixed(lines: Callable[[], StyleAndTextTuples]) -> Container:
    """As high as its text, which is the last to go where the screen is low."""
    from prompt_toolkit.layout import Dimension, FormattedTextControl, Window

    def height() -> Dimension:
        needed = sum(text.count("\n") for _, text, *_ in lines()) + 1
        return Dimension(min=1, max=needed, preferred=needed, weight=needed)

    return Window(FormattedTextControl(lines), height=height)


def _drawn(parts: Iterable[tuple[str, str]], columns: int) -> StyleAndTextTuples:
    """Each part wrapped on lines of its own; empty parts take none."""
    layout = {"keys": side_by_side}
    lines = [(style, line) for style, text in parts if text for line in layout.get(style, wrapped)(text, columns)]
    return _joined((f"class:{style}", line) for style, line in lines)


def _joined(lines: Iterable[tuple[str, str]]) -> StyleAndTextTuples:
    return [(style, f"{text}\n") for style, text in lines]


def _columns(target: Output) -> int:
    return columns_of(target.get_size().columns)


def _style() -> BaseStyle:
    from prompt_toolkit.styles import Style

    return Style.from_dict(_STYLES)


@contextmanager
def _terminal_kept(source: Input) -> Iterator[None]:
    """Keeps the terminal from echoing what is typed while no form is open.

    Afterwards it is as it was, also where a signal ends the program.
    """
    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    here = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, _end) for number in signals if here}
    try:
        with source.raw_mode():
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _frame: object) -> NoReturn:
    """Ends the program the way a shell tells of a signal; every answer is on disk already."""
    raise SystemExit(128 + number)


def _input_of(source: TextIO) -> Input:
    from prompt_toolkit.input import create_input

    return create_input(source)


def _output_of(target: TextIO) -> Output:
    """The terminal, which is never asked where its cursor is: a slow answer would arrive as if it had been typed."""
    from prompt_toolkit.output import create_output

    output = create_output(target)
    if hasattr(output, "enable_cpr"):
        output.enable_cpr = False
    return output
