"""How much of what a model needs: memory, GPUs, servers, GPU-hours, power.

Memory is counted in 10⁹ bytes. Where the stage or the way of training is not told, a result spans all that they allow.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.figures import Formula
from engine.values import UNLIMITED, Interval, Value, bounds, interval
from knowledge.arithmetic import Number, hull, monotone, number, significant, whole_up
from knowledge.delivery import difference
from knowledge.gpus import Gpu, gpus, matching

SERVING = frozenset({"online_inference", "batch_inference"})
FROM_NOTHING = frozenset({"training", "pretraining"})
_POWER_CLASSES = ("v100", "a100", "h100", "h200", "b200", "l40s", "rtx-4090")
_GPUS_OF_POWER_CLASS = 8

Facts = Mapping[str, Value | None]
Figures = Mapping[str, Number]


# Memory


def memory_gb(facts: Facts, figures: Figures) -> Number | None:
    """Parameters times bytes per parameter: the least that all GPUs of one job or one replica must hold together.

    Training: weights, gradients and optimizer state (ZeRO, arXiv 1910.02054, section 3; model memory anatomy in the
    documentation of Hugging Face Transformers); an adapter adds its own to frozen weights of 16 bits (LoRA, arXiv
    2106.09685) or 4 bits (QLoRA, arXiv 2305.14314). What activations add depends on the batch and is not in it.
    Inference: weights of 4 to 16 bits, KV cache, and what the runtime takes on top.
    """
    parameters = number(facts["model.parameters"])
    if parameters is None:
        return None
    each = bytes_per_parameter(facts["stage"], facts["model.method"], figures)
    return monotone(lambda count, size: significant(count * size / 1e9), [parameters, each])


def bytes_per_parameter(stage: Value | None, method: Value | None, figures: Figures) -> Number:
    """Bytes that each parameter takes. What is made from nothing trains all weights; to serve, no method matters."""
    full, adapter = figures["bytes_per_parameter.training_state"], _adapter(figures)
    if stage in SERVING:
        return _served(figures)
    if stage in FROM_NOTHING:
        return full
    tuned = {"full": full, "adapter": adapter}.get(str(method)) or hull(full, adapter)
    return tuned if stage is not None else hull(tuned, full, _served(figures))


def _adapter(figures: Figures) -> Number:
    frozen = hull(figures["bytes_per_parameter.weights_4bit"], figures["bytes_per_parameter.weights_16bit"])
    trained, state = figures["adapter_share"], figures["bytes_per_parameter.training_state"]
    return monotone(lambda weights, share, size: weights + share * size, [frozen, trained, state])


def _served(figures: Figures) -> Number:
    weights = hull(figures["bytes_per_parameter.weights_4bit"], figures["bytes_per_parameter.weights_16bit"])
    cache, overhead = figures["bytes_per_parameter.kv_cache"], figures["runtime_overhead"]
    return monotone(lambda size, kept, factor: (size + kept) * factor, [weights, cache, overhead])


def one_consumer_card(facts: Facts, figures: Figures) -> bool | None:
    """Whether one consumer card holds the model in this stage, trained in small batches.

    Yes where the most that it can take fits the smallest of these cards, no where the least exceeds the largest.
    """
    memory = number(facts["sizing.memory_gb"])
    if memory is None:
        return None
    held = _with_activations(memory, facts["stage"], figures["activation_factor.small_batch"])
    (least, most), (smallest, largest) = bounds(held), bounds(figures["consumer_card_memory_gb"])
    if most <= smallest:
        return True
    return False if least > largest else None


def _with_activations(memory: Number, stage: Value | None, factor: Number) -> Number:
    if stage in SERVING:
        return memory
    return monotone(lambda held, times: held * times, [memory, factor if stage is not None else hull(1.0, factor)])


def gpu_memory_gb(facts: Facts, figures: Figures) -> Number | None:
    """Memory that each GPU of the job must have: an even share of the whole, or more where nothing forces to share.

    A model is split no further than it must be: each GPU holds all of it, or as much as its card takes, or, with too
    few such cards, its share (sharded states: ZeRO, arXiv 1910.02054). The card is the one wanted, else any of the
    table.
    """
    memory = number(facts["sizing.memory_gb"])
    if memory is None:
        return None
    held = _with_activations(memory, facts["stage"], figures["activation_factor"])
    sharing = number(facts["demand.job_gpus"]) or Interval(1, UNLIMITED)
    return monotone(_share, [held, _any_card(facts)], [sharing])


def _share(held: float, card: float, sharing: float) -> float:
    return significant(max(held / sharing, min(held, card)))


def _any_card(facts: Facts) -> Number:
    """Memory of the card wanted, or of any card of the table."""
    return hull(*(gpu.memory_gb for gpu in matching(facts["model.gpu"])))


# GPUs and servers


def job_gpus(facts: Facts, figures: Figures) -> Number | None:
    """GPUs that one job needs at once: as told, else as few as hold it, and never more than the peak.

    Memory, activations included, over the memory of one card, rounded up (sharded states: ZeRO, arXiv 1910.02054). A
    foundation model is sized by time rather than by memory, so that memory gives the fewest and the peak the most. A
    told peak that is too small for the memory contradicts it, and goes before it as all that is told does.
    """
    told = number(facts["demand.job_gpus"])
    if told is not None:
        return told
    peak = number(facts["demand.gpus_peak"])
    most = monotone(lambda count: max(count, 1.0), [UNLIMITED if peak is None else peak])
    found = monotone(min, [_gpus_for_memory(facts, figures), most])
    return None if found == Interval(1, UNLIMITED) else found


def _gpus_for_memory(facts: Facts, figures: Figures) -> Number:
    memory, stage = number(facts["sizing.memory_gb"]), facts["stage"]
    if memory is None:
        return Interval(1, UNLIMITED)
    held = _with_activations(memory, stage, figures["activation_factor"])
    fewest, most = bounds(monotone(lambda size, card: max(whole_up(size / card), 1.0), [held], [_card_memory(facts)]))
    return interval(fewest, UNLIMITED if stage in (None, "pretraining") else most)


def _card_memory(facts: Facts) -> Number:
    """Memory of the card; where a least memory is told, of those cards alone that have it."""
    smallest, largest = bounds(_any_card(facts))
    needed = bounds(number(facts["model.gpu_memory_gb"]) or 0.0)[0]
    return interval(min(max(smallest, needed), largest), largest)


def spans_nodes(facts: Facts, figures: Figures) -> bool | None:
    """Whether one job needs more GPUs than one server has."""
    job = number(facts["sizing.job_gpus"])
    if job is None:
        return None
    (fewest, most), (least, greatest) = bounds(job), bounds(figures["gpus_per_server"])
    if fewest > greatest:
        return True
    return False if most <= least else None


def nodes(count: Value | None, figures: Figures) -> Number | None:
    """Servers that hold so many GPUs; the last one may be partly filled."""
    wanted = number(count)
    if wanted is None:
        return None
    return monotone(lambda cards, each: whole_up(cards / each), [wanted], [figures["gpus_per_server"]])


def peak_to_steady(facts: Facts, _figures: Figures) -> Number | None:
    """GPUs at the peak as a multiple of the steady ones, at least 1; unlimited where no GPU is needed steadily."""
    peak, steady = number(facts["demand.gpus_peak"]), number(facts["demand.gpus_steady"])
    if peak is None or steady is None:
        return None
    return monotone(_multiple, [peak], [steady])


def _multiple(peak: float, steady: float) -> float:
    if peak <= steady:
        return 1.0
    return UNLIMITED if steady == 0 else peak / steady


# GPU-hours


def gpu_hours(facts: Facts, figures: Figures) -> Number | None:
    """Hours of one GPU for one training run: operations over what a GPU does in an hour.

    Six operations for each parameter and token, two forward and four backward (Kaplan et al., arXiv 2001.08361,
    section 2.1), of a dense model; with an adapter the gradients of the frozen weights are saved, two of the six. The
    GPU does a share of its peak, the model FLOPs utilization (PaLM, arXiv 2204.02311, appendix B).
    """
    parameters, tokens, stage = number(facts["model.parameters"]), number(facts["model.tokens"]), facts["stage"]
    if parameters is None or tokens is None or stage is None or stage in SERVING:
        return None
    speed = hull(*(gpu.fp16_dense_tflops for gpu in matching(facts["model.gpu"])))
    work = _operations(stage, facts["model.method"], figures)
    return monotone(_hours, [parameters, tokens, work], [speed, figures["mfu"]])


def _hours(parameters: float, tokens: float, operations: float, teraflops: float, share: float) -> float:
    return significant(operations * parameters * tokens / (teraflops * 1e12 * share * 3600))


def _operations(stage: Value, method: Value | None, figures: Figures) -> Number:
    every, frozen = figures["operations_per_token.full"], figures["operations_per_token.adapter"]
    return every if stage in FROM_NOTHING or method == "full" else hull(every, frozen)


# Power


def power_kw(facts: Facts, figures: Figures) -> Number | None:
    """Highest draw of the machines that hold the GPUs of the peak, cooling not counted, were all of them owned.

    At most that of as many whole servers; at least the GPUs' own part of it, as a partly filled server draws less.
    """
    peak = number(facts["demand.gpus_peak"])
    servers = nodes(peak, figures)
    if peak is None or servers is None:
        return None
    each, size = server_kw(facts["model.gpu"], figures), figures["gpus_per_server"]
    least = monotone(lambda cards, kw, held: significant(cards * kw / held), [peak, each], [size])
    return hull(least, monotone(lambda count, kw: significant(count * kw), [servers, each]))


def server_kw(name: Value | None, figures: Figures) -> Number:
    """Draw of one server: one's own figure, else that of the class of the card by the GPUs that the server holds."""
    own, shipped = figures["server_power_kw"], figures["server_power_kw.of_any_class"]
    if own != shipped:
        return own
    found = matching(name)
    drawn = shipped if found == gpus() else hull(*(_class_kw(gpu, figures) for gpu in found))
    return monotone(lambda kw, held: kw * held / _GPUS_OF_POWER_CLASS, [drawn, figures["gpus_per_server"]])


def _class_kw(gpu: Gpu, figures: Figures) -> Number:
    """Draw of a server with eight such cards: of its class, else by the board power of the card."""
    for name in _POWER_CLASSES:
        if f"{gpu.id}-".lower().startswith(f"{name}-"):
            return figures[f"server_power_kw.{name}"]
    boards = gpu.tdp_w * _GPUS_OF_POWER_CLASS / 1000
    return monotone(lambda times: boards * times, [figures["server_power_to_gpu_power"]])


_BYTES = tuple(
    f"bytes_per_parameter.{kind}" for kind in ("training_state", "weights_16bit", "weights_4bit", "kv_cache")
)

# The memory of one GPU comes last, so that the GPUs of a job rest on it only where it is told.
FORMULAS = (
    Formula(
        fact="sizing.memory_gb",
        inputs={"model.parameters": 1, "stage": 0, "model.method": 0},
        figures=(*_BYTES, "adapter_share", "runtime_overhead"),
        compute=memory_gb,
        source="T-1.1; ZeRO, arXiv 1910.02054; LoRA, arXiv 2106.09685; QLoRA, arXiv 2305.14314",
    ),
    Formula(
        fact="sizing.one_consumer_card",
        inputs={"sizing.memory_gb": -1, "stage": 0},
        figures=("activation_factor.small_batch", "consumer_card_memory_gb"),
        compute=one_consumer_card,
        source="T-5.1",
    ),
    Formula(
        fact="sizing.job_gpus",
        inputs={
            "demand.job_gpus": 1, "sizing.memory_gb": 1, "stage": 0, "demand.gpus_peak": 1, "model.gpu": 0,
            "model.gpu_memory_gb": -1,
        },
        figures=("activation_factor",),
        compute=job_gpus,
        source="T-1.1; ZeRO, arXiv 1910.02054",
    ),
    Formula(
        fact="sizing.spans_nodes",
        inputs={"sizing.job_gpus": 1},
        figures=("gpus_per_server",),
        compute=spans_nodes,
        source="T-1.1, T-3.2a",
    ),
    Formula(
        fact="sizing.nodes_steady",
        inputs={"demand.gpus_steady": 1},
        figures=("gpus_per_server",),
        compute=lambda facts, figures: nodes(facts["demand.gpus_steady"], figures),
        source="C-3.1a",
    ),
    Formula(
        fact="sizing.nodes_peak",
        inputs={"demand.gpus_peak": 1},
        figures=("gpus_per_server",),
        compute=lambda facts, figures: nodes(facts["demand.gpus_peak"], figures),
        source="C-3.1a",
    ),
    Formula(
        fact="demand.peak_to_steady",
        inputs={"demand.gpus_peak": 1, "demand.gpus_steady": -1},
        figures=(),
        compute=peak_to_steady,
        source="X-7",
    ),
    Formula(
        fact="demand.surplus_gpus",
        inputs={"demand.gpus_peak": 1, "demand.gpus_steady": -1},
        figures=(),
        compute=lambda facts, _: difference(facts["demand.gpus_peak"], facts["demand.gpus_steady"], at_least=0),
        source="X-7",
    ),
    Formula(
        fact="sizing.gpu_hours",
        inputs={"model.parameters": 1, "model.tokens": 1, "stage": 0, "model.method": 0, "model.gpu": 0},
        figures=("operations_per_token.full", "operations_per_token.adapter", "mfu"),
        compute=gpu_hours,
        source="T-1.1; Kaplan et al., arXiv 2001.08361; PaLM, arXiv 2204.02311",
    ),
    Formula(
        fact="sizing.power_kw",
        inputs={"demand.gpus_peak": 1, "model.gpu": 0},
        figures=(
            "gpus_per_server", "server_power_kw", "server_power_kw.of_any_class",
            *(f"server_power_kw.{name}" for name in _POWER_CLASSES), "server_power_to_gpu_power",
        ),
        compute=power_kw,
        source="C-3.2b",
    ),
    Formula(
        fact="sizing.power_slack_kw",
        inputs={"operations.spare_power_kw": 1, "sizing.power_kw": -1},
        figures=(),
        compute=lambda facts, _: difference(facts["operations.spare_power_kw"], facts["sizing.power_kw"]),
        source="C-3.2b",
    ),
    Formula(
        fact="model.gpu_memory_gb",
        inputs={"sizing.memory_gb": 1, "stage": 0, "demand.job_gpus": -1, "model.gpu": 0},
        figures=("activation_factor",),
        compute=gpu_memory_gb,
        source="T-1.1; ZeRO, arXiv 1910.02054",
    ),
)  # fmt: skip
