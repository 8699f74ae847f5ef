"""Figures of wrong results: each function of ``plotting`` with each kind of result."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import pycompare as pc
from pycompare import plotting
from pycompare.plotting.drawn_kinds import KINDS, drawn_kinds

FIGURES = [name for name in plotting.__all__ if name != "save"]
REQUIRED = {"simulated": {"x": "n"}, "agreement_example": {"case": 0}}
"""Options without a default."""


@pytest.fixture(scope="module")
def arrivals() -> dict[str, Any]:
    """Return a value of each kind that users have at hand."""
    scores, folds = pc.example(), pc.example("folds")
    label, score = [1, 1, 1, 0, 0, 0], [6.0, 4.0, 3.0, 5.0, 2.0, 1.0]
    return {
        "table of scores": scores,
        "rank test": pc.friedman(scores),
        "pairs": pc.rank_pairs(scores),
        "pairs of vectors": pc.hotelling_pairs(folds),
        "analysis of variance": pc.anova(scores),
        "multivariate analysis": pc.manova(folds),
        "pairs of means": pc.tukey(scores),
        "comparison": pc.compare(scores, pc.Plan(blocks="datasets")),
        "interval": pc.auc_interval(label, score, positive=1),
        "posterior": pc.bayesian_sign(scores, rope=0.01),
        "sets of ranks": pc.rank_sets(pc.rank_pairs(scores)),
        "win probabilities": pc.superiority(scores, control="C4.5"),
        "frame": scores.to_frame(),
        "text": "scores.csv",
        "nothing": None,
        "number": 3,
        "list": [1, 2],
        "dict": {"a": 1},
    }


def kinds_of(name: str) -> dict[str, tuple[str, ...]]:
    return drawn_kinds(inspect.unwrap(getattr(plotting, name)))


@pytest.mark.parametrize("name", FIGURES)
def test_a_wrong_result_is_answered_in_words(name, arrivals):
    draw, kinds = getattr(plotting, name), kinds_of(name)
    answered = 0
    for what, value in arrivals.items():
        others = [arrivals["table of scores"]] * (len(kinds) - 1)
        try:
            draw(value, *others, **REQUIRED.get(name, {}))
        except pc.PyCompareError as error:
            answered += 1
            assert " " in str(error) and "object at 0x" not in str(error), what
        # anything else that is raised fails the test
    assert answered >= len(arrivals) // 3


@pytest.mark.parametrize("name", FIGURES)
def test_each_declared_kind_has_its_words(name):
    for kinds in kinds_of(name).values():
        assert set(kinds) <= set(KINDS)


def test_the_answer_names_the_parameter_what_arrived_and_what_is_needed(arrivals):
    with pytest.raises(
        pc.InputError,
        match=r"^pairs: a HotellingPairsResult arrived; give pairwise comparisons, as "
        r"pc\.rank_pairs returns$",
    ):
        plotting.critical_difference(arrivals["pairs of vectors"])


def test_parts_of_a_dict_are_of_the_declared_kind(arrivals):
    with pytest.raises(pc.InputError, match=r"^intervals: .* a dict by name, of lists"):
        plotting.auc_intervals({"a": [arrivals["pairs"]]})


def test_a_missing_argument_is_named_by_python(arrivals):
    with pytest.raises(TypeError, match="missing 1 required keyword-only"):
        plotting.simulated(arrivals["pairs"])


def test_a_fault_with_the_right_kind_is_no_error_of_the_user(arrivals, monkeypatch):
    def broken(*arguments):
        raise KeyError("positions")

    monkeypatch.setattr(plotting.style, "context", broken, raising=False)
    module = inspect.getmodule(inspect.unwrap(plotting.heat_map))
    monkeypatch.setattr(module.style, "context", broken)
    with pytest.raises(KeyError):
        plotting.heat_map(arrivals["table of scores"])
