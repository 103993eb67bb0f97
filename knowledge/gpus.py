"""The table of GPUs, and which of them a name stands for: `A100` stands for every A100."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.faults import Report
from engine.figures import CONFIDENCES
from engine.forms import Form, file_form
from engine.loading import Node, read_file
from engine.values import Value

_FILE = Path(__file__).parent / "figures" / "gpus.yaml"
_KEYS = ("id", "memory_gb", "tdp_w", "fp16_dense_tflops", "nvlink_gb_s", "source", "as_of", "confidence")


@dataclass(frozen=True, slots=True)
class Gpu:
    """One model of card: memory in 10⁹ bytes, board power in watts, dense FP16 speed in 10¹² operations a second."""

    id: str
    memory_gb: float
    tdp_w: float
    fp16_dense_tflops: float


@cache
def gpus() -> tuple[Gpu, ...]:
    """Every GPU of the table, in its order. Raises FaultError where the table is not in order."""
    return read_gpus(read_file(_FILE, "figures/gpus.yaml"))


def read_gpus(node: Node) -> tuple[Gpu, ...]:
    """The GPUs of the table's root node. Raises FaultError with all that is wrong, an empty table included."""
    report = Report()
    form = file_form(node, ["gpus"], report)
    found = tuple(_gpu(Form(item, _KEYS, report), report) for item in form.items("gpus"))
    if not found:
        report.add("missing-key", form.place, missing="gpus")
    report.check()
    return found


def _gpu(form: Form, report: Report) -> Gpu:
    numbers = {key: form.number(key) or 0.0 for key in _KEYS[1:4]}
    for key, value in numbers.items():
        if key in form and value <= 0:
            report.add("not-above", form.place_of(key), typed=f"{value:g}", limit="0")
    word = form.word("confidence")
    if word not in CONFIDENCES:
        report.add("not-a-choice", form.place_of("confidence"), typed=word, known=list(CONFIDENCES), hint="")
    return Gpu(form.word("id"), *numbers.values())


@cache
def matching(name: Value | None) -> tuple[Gpu, ...]:
    """The GPUs that the name may stand for: those whose first parts it is; all of them where it names none."""
    start = f"{name}-".lower()
    return tuple(gpu for gpu in gpus() if f"{gpu.id}-".lower().startswith(start)) or gpus()
