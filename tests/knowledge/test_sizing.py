"""Memory, GPUs, servers, hours and power of a model: numbers checked by hand, and what ranges must never do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.faults import FaultError
from engine.inference import Given, Reasoner, Source
from engine.loading import read_bytes
from engine.values import UNLIMITED, Interval, Value, bounds
from knowledge import knowledge_base
from knowledge.arithmetic import Number, hull, monotone, significant, whole_up
from knowledge.gpus import gpus, matching, read_gpus

BILLION = 1e9
_REASONER = Reasoner(knowledge_base())


def facts(figures: Mapping[str, Number] | None = None, /, **told: Value) -> Mapping[str, Value]:
    """Everything that is known once the formulas have run; a double underscore stands for the dot of a path."""
    paths = {name.replace("__", "."): value for name, value in told.items()}
    given = {path: Given(paths[path], Source("case")) for path in _REASONER.base.vocabulary.facts if path in paths}
    assert len(given) == len(paths)
    with _REASONER.network:
        return _REASONER.before_verdict(given, figures or {}).values


def model(billions: float, stage: str | None, method: str | None = None, gpu: str | None = None) -> Mapping[str, Value]:
    told = {"stage": stage, "model__method": method, "model__gpu": gpu}
    known: dict[str, Value] = {name: word for name, word in told.items() if word is not None}
    return facts(None, model__parameters=billions * BILLION, **known)


# Memory


def test_a_full_fine_tuning_of_7_billion_parameters_takes_112_to_126_gb() -> None:
    assert model(7, "fine_tuning", "full")["sizing.memory_gb"] == Interval(112, 126)


def test_a_full_fine_tuning_of_70_billion_parameters_takes_up_to_1_26_tb() -> None:
    assert model(70, "fine_tuning", "full")["sizing.memory_gb"] == Interval(1120, 1260)


def test_an_adapter_takes_the_frozen_weights_and_a_little_more() -> None:
    # from 4-bit weights and 0.1 % of states of 16 bytes, to 16-bit weights and 1 % of states of 18 bytes
    assert model(10, "fine_tuning", "adapter")["sizing.memory_gb"] == Interval(5.16, 21.8)


def test_65_billion_parameters_can_be_tuned_with_4_bit_weights_on_one_card_of_48_gb() -> None:
    least, _ = bounds_of(model(65, "fine_tuning", "adapter", "L40S")["sizing.job_gpus"])
    assert least == 1


def test_inference_takes_weights_of_4_to_16_bits_with_cache_and_overhead() -> None:
    # 0.5 × 1.1 and (2 + 1) × 1.2 bytes for each parameter
    assert model(10, "online_inference")["sizing.memory_gb"] == Interval(5.5, 36)
    assert model(10, "batch_inference", "full")["sizing.memory_gb"] == Interval(5.5, 36)


@pytest.mark.parametrize("stage", ["training", "pretraining"])
def test_what_is_made_from_nothing_trains_all_weights_whatever_the_method(stage: str) -> None:
    assert model(7, stage)["sizing.memory_gb"] == model(7, stage, "adapter")["sizing.memory_gb"] == Interval(112, 126)


def test_where_the_method_is_not_told_the_memory_spans_both() -> None:
    assert model(10, "fine_tuning")["sizing.memory_gb"] == Interval(5.16, 180)


def test_where_the_stage_is_not_told_the_memory_spans_every_stage() -> None:
    assert model(10, None)["sizing.memory_gb"] == Interval(5.16, 180)
    assert model(10, None, "adapter")["sizing.memory_gb"] == Interval(5.16, 180)


def test_nothing_is_said_of_memory_while_the_size_of_the_model_is_unknown() -> None:
    assert "sizing.memory_gb" not in facts(stage="fine_tuning", model__method="full", model__gpu="H100")


# One consumer card


@pytest.mark.parametrize("billions", [0.1, 0.3, 1.0])
def test_up_to_a_billion_parameters_are_trained_on_one_consumer_card(billions: float) -> None:
    assert model(billions, "training")["sizing.one_consumer_card"] is True


def test_a_hundred_million_parameters_fit_one_consumer_card_in_any_stage() -> None:
    assert model(0.1, None)["sizing.one_consumer_card"] is True


def test_serving_7_billion_parameters_is_never_said_to_exceed_a_consumer_card() -> None:
    assert model(7, "online_inference").get("sizing.one_consumer_card") is not False


def test_serving_70_billion_parameters_exceeds_a_consumer_card() -> None:
    assert model(70, "online_inference")["sizing.one_consumer_card"] is False


def test_an_adapter_on_7_billion_parameters_fits_one_consumer_card_and_on_70_billion_does_not() -> None:
    assert model(7, "fine_tuning", "adapter")["sizing.one_consumer_card"] is True
    assert model(70, "fine_tuning", "adapter")["sizing.one_consumer_card"] is False


def test_between_the_smallest_and_the_largest_consumer_card_nothing_is_said() -> None:
    assert "sizing.one_consumer_card" not in model(1.5, "training")


def test_activations_of_training_do_not_count_against_what_may_be_served() -> None:
    batch: dict[str, Number] = {"activation_factor.small_batch": 1.2}  # the least that 58 billion take is 29.93 GB
    assert facts(batch, stage="exploration", model__parameters=58e9)["sizing.one_consumer_card"] is False
    assert "sizing.one_consumer_card" not in facts(batch, model__parameters=58e9)


# GPUs and servers


def test_70_billion_parameters_tuned_whole_take_two_or_three_servers_of_h100() -> None:
    found = model(70, "fine_tuning", "full", "H100")
    assert found["sizing.job_gpus"] == Interval(14, 24)  # 1,120 and 1,260 × 1.5 GB over 80 GB
    assert found["sizing.spans_nodes"] is True


def test_30_billion_parameters_tuned_whole_can_be_held_by_one_server() -> None:
    least, _ = bounds_of(model(30, "fine_tuning", "full", "H100")["sizing.job_gpus"])
    assert least == 6  # 480 of 640 GB


@pytest.mark.parametrize(
    ("billions", "gpu", "cards"),
    [
        (7, "RTX-4090", 1), (32, "RTX-5090", 1), (70, "A100-SXM-80GB", 2), (70, "A100-SXM-80GB", 4), (70, "L40S", 1),
        (235, "H100", 4), (671, "H200", 8), (1000, "H200", 8), (1000, "H100", 16),
    ],
)  # fmt: skip
def test_known_ways_of_serving_a_model_lie_within_the_range(billions: float, gpu: str, cards: int) -> None:
    least, most = bounds_of(model(billions, "online_inference", None, gpu)["sizing.job_gpus"])
    assert least <= cards <= most


def test_told_gpus_of_a_job_go_before_those_worked_out() -> None:
    found = facts(stage="fine_tuning", model__parameters=70e9, model__method="full", demand__job_gpus=64.0)
    assert found["sizing.job_gpus"] == 64
    assert found["sizing.spans_nodes"] is True


def test_a_job_never_takes_more_gpus_than_the_peak() -> None:
    found = facts(stage="fine_tuning", model__parameters=70e9, model__gpu="H100", demand__gpus_peak=16.0)
    assert found["sizing.job_gpus"] == Interval(1, 16)


def test_with_a_peak_of_one_server_no_job_spans_several_even_where_the_model_is_unknown() -> None:
    found = facts(demand__gpus_peak=8.0)
    assert found["sizing.job_gpus"] == Interval(1, 8)
    assert found["sizing.spans_nodes"] is False


def test_memory_tells_only_the_fewest_gpus_of_a_pretraining() -> None:
    found = model(7, "pretraining", None, "H100")
    assert found["sizing.job_gpus"] == Interval(2, UNLIMITED)
    assert "sizing.spans_nodes" not in found


def test_nothing_is_said_of_a_job_of_which_nothing_is_known() -> None:
    assert "sizing.job_gpus" not in facts(stage="fine_tuning")
    assert "sizing.job_gpus" not in model(0.1, "pretraining")


def test_a_told_least_memory_leaves_the_cards_that_have_it() -> None:
    told: dict[str, Value] = {"stage": "fine_tuning", "model__parameters": 70e9, "model__gpu_memory_gb": 80.0}
    told["model__method"] = "full"
    assert facts(None, **told, model__gpu="A100")["sizing.job_gpus"] == Interval(14, 24)
    assert facts(None, **told)["sizing.job_gpus"] == Interval(6, 24)


def test_the_gpus_of_one_server_decide_what_spans_several() -> None:
    assert facts(demand__job_gpus=8.0)["sizing.spans_nodes"] is False
    assert facts(demand__job_gpus=9.0)["sizing.spans_nodes"] is True
    assert facts({"gpus_per_server": 4.0}, demand__job_gpus=8.0)["sizing.spans_nodes"] is True
    assert "sizing.spans_nodes" not in facts(demand__job_gpus=Interval(8, 9))
    assert "sizing.spans_nodes" not in facts({"gpus_per_server": Interval(4, 8)}, demand__job_gpus=6.0)


def test_servers_are_counted_whole() -> None:
    found = facts(demand__gpus_steady=0.0, demand__gpus_peak=17.0)
    assert (found["sizing.nodes_steady"], found["sizing.nodes_peak"]) == (0, 3)
    assert facts(demand__gpus_peak=Interval(8, 17))["sizing.nodes_peak"] == Interval(1, 3)


# Memory of one GPU


def test_each_gpu_holds_its_share_or_as_much_as_its_card_takes() -> None:
    told: dict[str, Value] = {"stage": "fine_tuning", "model__method": "full", "model__parameters": 70e9}
    told["model__gpu"] = "H100"
    assert facts(None, **told, demand__job_gpus=32.0)["model.gpu_memory_gb"] == 80
    assert facts(None, **told, demand__job_gpus=8.0)["model.gpu_memory_gb"] == Interval(140, 236.2)


def test_a_small_model_needs_no_more_memory_on_a_large_card() -> None:
    assert model(0.1, "training", None, "H100")["model.gpu_memory_gb"] == Interval(1.6, 2.7)


def test_told_memory_of_a_gpu_goes_before_the_one_worked_out() -> None:
    told = facts(stage="training", model__parameters=7e9, model__gpu_memory_gb=40.0)
    assert told["model.gpu_memory_gb"] == 40


# Peak and surplus


def test_peak_and_steady_need_are_compared() -> None:
    found = facts(demand__gpus_steady=8.0, demand__gpus_peak=20.0, operations__gpus_owned=12.0)
    assert found["demand.peak_to_steady"] == 2.5
    assert found["demand.surplus_gpus"] == 12
    assert found["operations.owned_surplus"] == 4


def test_with_no_steady_need_the_peak_is_beyond_any_multiple() -> None:
    assert facts(demand__gpus_steady=0.0, demand__gpus_peak=20.0)["demand.peak_to_steady"] == UNLIMITED
    assert facts(demand__gpus_steady=0.0, demand__gpus_peak=0.0)["demand.peak_to_steady"] == 1


def test_ranges_of_peak_and_steady_need_never_cross() -> None:
    found = facts(demand__gpus_steady=Interval(4, 10), demand__gpus_peak=Interval(8, 20))
    assert found["demand.peak_to_steady"] == Interval(1, 5)
    assert found["demand.surplus_gpus"] == Interval(0, 16)


def test_fewer_owned_gpus_than_needed_leave_no_surplus() -> None:
    assert facts(operations__gpus_owned=2.0, demand__gpus_steady=8.0)["operations.owned_surplus"] == 0


def test_the_approval_of_a_cloud_can_come_too_late() -> None:
    found = facts(demand__start_within_days=30.0, compliance__approval_days=Interval(20, 90))
    assert found["compliance.approval_slack_days"] == Interval(-60, 10)
    assert "compliance.approval_slack_days" not in facts(demand__start_within_days=30.0)


# GPU-hours


def trained(figures: dict[str, Number], method: str, gpu: str = "H100") -> Value:
    told: dict[str, Value] = {"model__parameters": 7e9, "model__tokens": 140e9, "model__method": method}
    return facts(figures, stage="fine_tuning", model__gpu=gpu, **told)["sizing.gpu_hours"]


def test_7_billion_parameters_on_140_billion_tokens_take_some_4130_hours_of_h100() -> None:
    assert trained({"mfu": 0.4}, "full") == 4129  # 5.88e21 operations over 989e12 × 0.4 × 3600


def test_an_adapter_saves_up_to_a_third_of_the_operations() -> None:
    assert trained({"mfu": 0.4}, "adapter") == Interval(2752, 4129)


def test_the_hours_of_a_known_run_lie_near_the_range() -> None:
    # Llama 3.1: 405 billion parameters, 3.8e25 operations, 30.84 million GPU-hours reported
    told: dict[str, Value] = {"model__parameters": 405e9, "model__tokens": 3.8e25 / 6 / 405e9, "model__gpu": "H100"}
    least, most = bounds_of(facts(stage="pretraining", **told)["sizing.gpu_hours"])
    assert least < 30.84e6 < most


@pytest.mark.parametrize("stage", ["online_inference", "batch_inference"])
def test_serving_has_no_hours_of_training(stage: str) -> None:
    assert "sizing.gpu_hours" not in facts(stage=stage, model__parameters=7e9, model__tokens=1e9)


# Power


def test_one_server_of_h100_draws_what_its_maker_states() -> None:
    assert facts(demand__gpus_peak=8.0, model__gpu="H100")["sizing.power_kw"] == 10.2
    assert facts(demand__gpus_peak=64.0, model__gpu="H100")["sizing.power_kw"] == 81.6


def test_a_partly_filled_server_draws_no_less_than_its_gpus_and_no_more_than_a_full_one() -> None:
    assert facts(demand__gpus_peak=4.0, model__gpu="H100")["sizing.power_kw"] == Interval(5.1, 10.2)


def test_ones_own_figure_of_a_server_holds_for_any_card() -> None:
    found = facts({"server_power_kw": 7.0}, demand__gpus_peak=16.0, model__gpu="H100")
    assert found["sizing.power_kw"] == 14
    half = {"server_power_kw": 7.0, "gpus_per_server": 4.0}
    assert facts(half, demand__gpus_peak=16.0)["sizing.power_kw"] == 28


def test_while_no_card_is_named_power_spans_every_class() -> None:
    whole = facts(demand__gpus_peak=8.0)["sizing.power_kw"]
    figures = knowledge_base().figures
    assert whole == figures["server_power_kw"].value == figures["server_power_kw.of_any_class"].value
    for gpu in gpus():
        least, most = bounds_of(facts(demand__gpus_peak=8.0, model__gpu=gpu.id)["sizing.power_kw"])
        assert bounds_of(whole)[0] <= least <= most <= bounds_of(whole)[1], gpu.id


def test_power_left_at_the_site_may_be_negative() -> None:
    found = facts(demand__gpus_peak=64.0, model__gpu="H100", operations__spare_power_kw=40.0)
    least, most = bounds_of(found["sizing.power_slack_kw"])
    assert least == most == pytest.approx(-41.6)
    assert "sizing.power_slack_kw" not in facts(demand__gpus_peak=64.0)


# The table of GPUs


def test_a_short_name_stands_for_every_card_that_begins_with_it() -> None:
    assert {gpu.memory_gb for gpu in matching("A100")} == {40, 80}
    assert [gpu.id for gpu in matching("h100-sxm")] == ["H100-SXM-80GB"]


def test_the_start_of_a_part_is_no_name() -> None:
    assert all(gpu.id != "A10" for gpu in matching("A100"))
    assert [gpu.id for gpu in matching("A10")] == ["A10"]


@pytest.mark.parametrize("name", [None, "any", "unheard-of"])
def test_a_name_that_names_no_card_leaves_all_of_them(name: str | None) -> None:
    assert matching(name) == gpus()


def test_consumer_cards_of_the_figures_are_those_of_the_table() -> None:
    cards = hull(*(gpu.memory_gb for name in ("RTX-4090", "RTX-5090") for gpu in matching(name)))
    assert knowledge_base().figures["consumer_card_memory_gb"].value == cards


def test_every_wrong_entry_of_the_table_is_told_with_its_line() -> None:
    table = Path("knowledge/figures/gpus.yaml").read_text(encoding="utf-8")
    wrong = table.replace("memory_gb: 24", "memory_gb: -24", 1).replace("confidence: low", "confidence: fair", 1)
    with pytest.raises(FaultError) as raised:
        read_gpus(read_bytes(wrong.encode(), "gpus.yaml"))
    assert [fault.key for fault in raised.value.faults] == ["not-above", "not-a-choice"]
    assert all(fault.place is not None and fault.place.line for fault in raised.value.faults)


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(FaultError):
        read_gpus(read_bytes(b"schema: 1\ngpus: []\n", "gpus.yaml"))


# Arithmetic


def test_a_function_over_ranges_goes_from_corner_to_corner() -> None:
    assert monotone(lambda a, b: a - b, [Interval(5, 9)], [Interval(1, 2)]) == Interval(3, 8)
    assert monotone(lambda a, b: a - b, [5.0], [1.0]) == 4


def test_what_rounding_errors_leave_above_a_whole_number_is_that_number() -> None:
    assert whole_up(3 * 1.1 / 0.1 - 25) == 8
    assert (whole_up(8.01), whole_up(UNLIMITED)) == (9, UNLIMITED)


def test_four_digits_are_kept() -> None:
    assert (significant(4129.71), significant(0.00123456), significant(UNLIMITED)) == (4130, 0.001235, UNLIMITED)


def bounds_of(value: Value) -> tuple[float, float]:
    assert isinstance(value, float | int | Interval)
    return bounds(value)
