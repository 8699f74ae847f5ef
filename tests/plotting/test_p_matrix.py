from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting.p_matrix import grey, p_text
from tests.methods.orders.by_hand import pairs_result
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    long_names,
    random_scores,
    texts,
)

THREE = {"b": 2.0, "a": 1.0, "c": 3.0}


def collection(ax, gid):
    (found,) = [c for c in ax.collections if c.get_gid() == gid]
    return found


def centres(ax, gid) -> set[tuple[int, int]]:
    """Row and column of each square."""
    return {
        tuple(np.round(path.vertices[:4].mean(axis=0)).astype(int).tolist()[::-1])
        for path in collection(ax, gid).get_paths()
    }


def numbers(ax) -> dict[str, str]:
    return {
        t.get_gid().removeprefix("p-"): t.get_text()
        for t in ax.texts
        if (t.get_gid() or "").startswith("p-")
    }


@pytest.mark.parametrize("a", [2, 5, 12, 30])
def test_no_label_collides_or_leaves_the_figure(a):
    scores = random_scores(50, a, names=long_names(a))
    ax = plotting.p_matrix(pc.nemenyi(scores))
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 5)).subplots()
    assert plotting.p_matrix(pairs_result(THREE), ax=ax) is ax
    assert collisions(ax, 300) == []


def test_the_best_is_first():
    ax = plotting.p_matrix(pairs_result(THREE))
    assert texts(ax, "row-") == texts(ax, "column-") == ["a", "b", "c"]


def test_every_pair_stands_on_both_sides_of_a_blank_diagonal():
    ax = plotting.p_matrix(pairs_result(THREE, ["ac"]))
    assert numbers(ax) == {
        "1-2": "0.500",
        "1-3": "0.0100",
        "2-1": "0.500",
        "2-3": "0.500",
        "3-1": "0.0100",
        "3-2": "0.500",
    }
    assert centres(ax, "cells") == {(i, j) for i in range(3) for j in range(3)} - {
        (i, i) for i in range(3)
    }


def test_rejected_pairs_are_framed_and_bold():
    ax = plotting.p_matrix(pairs_result(THREE, ["ac"]))
    assert centres(ax, "frames") == {(0, 2), (2, 0)}
    bold = {t.get_gid() for t in ax.texts if t.get_weight() == "bold"}
    assert bold == {"p-1-3", "p-3-1"}


def test_untested_pairs_are_blank():
    ax = plotting.p_matrix(pairs_result(THREE, control="a", undefined=["ac"]))
    assert set(numbers(ax)) == {"1-2", "2-1"}
    assert centres(ax, "cells") == {(0, 1), (1, 0)}


def test_nothing_tested_at_all_is_drawn():
    ax = plotting.p_matrix(pairs_result(THREE, undefined=combinations("abc", 2)))
    assert numbers(ax) == {}
    assert cut_off(ax) == []


def test_frames_are_verdicts_on_adjusted_p_whatever_is_shown():
    result = pairs_result(THREE, ["ac"])
    table = result.table.assign(p_value=1e-4)
    result = dataclasses.replace(result, table=table)
    ax = plotting.p_matrix(result, column="p_value")
    assert set(numbers(ax).values()) == {"1e-4"}
    assert centres(ax, "frames") == {(0, 2), (2, 0)}


def test_another_column_is_refused():
    with pytest.raises(InputError, match="column='estimate'"):
        plotting.p_matrix(pairs_result(THREE), column="estimate")


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1"),
        (0.99999, "0.99999"),
        (0.5, "0.500"),
        (0.012345, "0.0123"),
        (0.001, "0.00100"),
        (0.0004, "4e-4"),
        (3.2e-18, "3e-18"),
        (1e-300, "1e-300"),
        (0.0, "0"),
    ],
)
def test_p_is_short_and_never_cut_at_a_limit(p, text):
    assert p_text(p) == text


@pytest.mark.parametrize("p", [0.0500001, 0.05004, 0.04996, 0.05, 0.049999999])
def test_a_rounded_p_stays_on_its_side_of_alpha(p):
    assert (float(p_text(p, 0.05)) <= 0.05) == (p <= 0.05)


def test_small_p_stays_on_its_side_of_alpha():
    assert p_text(5.04e-5, 5e-5) == "5.04e-5"
    assert p_text(5e-5, 5e-5) == "5e-5"


def test_darker_means_smaller():
    shades = grey(np.array([1.0, 0.5, 0.05, 0.01, 1e-3, 1e-4, 1e-5, 0.0]), 0.05)
    assert np.all(np.diff(shades) <= 0)
    assert shades[0] == 1.0
    assert shades[-1] == shades[-3]


def test_the_scale_marks_alpha():
    ax = plotting.p_matrix(pairs_result(THREE), alpha=0.01)
    assert texts(ax, "alpha-text") == ["alpha = 0.01"]
    assert "adjusted p at most 0.01" in caption(ax)


@pytest.mark.parametrize("alpha", [0.5, 1e-6, 1e-12])
def test_unusual_alphas_leave_the_scale_legible(alpha):
    ax = plotting.p_matrix(pairs_result(THREE), alpha=alpha)
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_beyond_thirty_algorithms_the_numbers_are_left_out():
    positions = {f"m{i:02d}": float(i) for i in range(31)}
    ax = plotting.p_matrix(pairs_result(positions, [("m00", "m30")]))
    assert numbers(ax) == {}
    assert centres(ax, "frames") == {(0, 30), (30, 0)}
    assert collisions(ax) == []
