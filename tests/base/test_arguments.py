"""What arrives as numbers, labels or a choice: taken whole, or refused by its place."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import pycompare as pc

LABEL = ["p", "n"] * 4
SCORE = [0.5, 0.25, 0.75, 0.375, 0.625, 0.125, 0.875, 0.75]
"""Scores that float16 holds."""


def auc(score: Any) -> float:
    return float(pc.auc(LABEL, score, positive="p"))


TAKEN: dict[str, Callable[[list[float]], Any]] = {
    **{f"dtype {t}": lambda x, t=t: np.array(x, t) for t in ("f2", "f4", "g", ">f8")},
    "decimals": lambda x: [Decimal(repr(v)) for v in x],
    "fractions": lambda x: [Fraction(v) for v in x],
    "objects": lambda x: pd.Series(x, dtype=object),
    "nullable": lambda x: pd.Series(x, dtype="Float64"),
    "categories of numbers": pd.Categorical,
    "sparse column": pd.arrays.SparseArray,
    "reversed memory": lambda x: np.array(x)[::-1].copy()[::-1],
    "mask without a masked value": np.ma.masked_array,
    "rows in another order": lambda x: pd.Series(x, index=range(8)[::-1]),
}


@pytest.mark.parametrize("make", TAKEN.values(), ids=TAKEN)
def test_numbers_of_any_type_give_the_same(make):
    assert auc(make(SCORE)) == auc(SCORE)
    assert np.array_equal(
        np.asarray(pc.adjust(make(SCORE), "holm")), pc.adjust(SCORE, "holm")
    )


MASK = [False, True] + [False] * 6
REFUSED = {
    "masked": (np.ma.masked_array(SCORE, MASK), "1 of 8 values are masked, first at"),
    "text among numbers": (
        [*SCORE[:7], "0.75"],
        "got '0.75' of type str at position 8",
    ),
    "text": (pd.Series(SCORE).astype(str), "got '0.5' of type str at position 1"),
    "truth among numbers": ([*SCORE[:7], True], "got True of type bool at position 8"),
    "complex": (np.array(SCORE) + 1j, "expected numbers, got complex numbers, first"),
    "dates": (pd.Series(pd.date_range("2020", periods=8)), "got dates, first"),
    "times": (np.arange(8).astype("m8[s]"), "got times, first"),
    "a date": ([datetime.date(2020, 1, 1)] * 8, "of type date at position 1"),
    "records": (np.rec.fromarrays([SCORE]), "expected one value at each place"),
    "too large": ([*SCORE[:7], 10**400], "float64 cannot hold 1000"),
    "too large a decimal": ([*SCORE[:7], Decimal("1e400")], "float64 cannot hold"),
    "not a double": ([*SCORE[:7], 2**53 + 1], "float64 cannot hold 9007199254740993"),
    "no order": (set(SCORE), "of type set is no list of values"),
    "names": (dict(enumerate(SCORE)), "of type dict is no list of values"),
    "read once": ((v for v in SCORE), "of type generator is no list of values"),
    "sparse matrix": (sparse.csr_matrix(SCORE), "is no list of values"),
    "ragged": ([[1, 2], [3]], "the rows differ in length or in depth"),
    "nothing": (None, "None of type NoneType is no list of values"),
}


@pytest.mark.parametrize(("values", "said"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("what", ["score", "p-values", "differences", "wins", "data"])
def test_what_are_no_numbers_is_refused_by_its_place(values, said, what):
    calls = {
        "score": auc,
        "p-values": lambda p: pc.adjust(p, "holm"),
        "differences": pc.five_by_two_cv,
        "wins": lambda wins: pc.win_table(wins, 9),
        "data": pc.mcnemar,
    }
    if said.startswith("of type generator"):
        values = (v for v in SCORE)  # an earlier case has not read it
    with pytest.raises(pc.InputError, match=rf"^{what}: ") as told:
        calls[what](values)
    assert said in str(told.value)


def test_missing_numbers_are_counted_whatever_stands_for_them():
    for none in (None, pd.NA, pd.NaT, float("nan"), Decimal("NaN"), Decimal("sNaN")):
        with pytest.raises(pc.InputError, match="1 of 8 are NaN, first: position 8"):
            auc([*SCORE[:7], none])


def test_true_and_false_are_scores_and_no_p_values():
    called = [score > 0.5 for score in SCORE]
    assert auc(np.array(called)) == auc(pd.Series(called, dtype="boolean"))
    with pytest.raises(pc.InputError, match="p-values: expected numbers, got true or"):
        pc.adjust(np.array(called), "holm")


def test_labels_are_taken_in_any_byte_order_and_refused_where_missing():
    label = np.array([1, 0] * 4, ">f8")
    assert pc.auc(label, SCORE, positive=1) == auc(SCORE)
    masked = np.ma.masked_array([1, 0] * 4, MASK)
    with pytest.raises(pc.InputError, match="labels: 1 of 8 values are masked"):
        pc.auc(masked, SCORE, positive=1)
    with pytest.raises(pc.InputError, match="predicted: 1 of 3 values are missing"):
        pc.most_confused(["a", "b", "a"], ["a", None, "b"])


@pytest.mark.parametrize("value", ["no", 0, None, np.array([True, False])])
def test_a_choice_of_yes_or_no_is_true_or_false(value):
    scores = pc.example()
    calls = {
        "blocked": lambda: pc.anova(scores, blocked=value),
        "exact": lambda: pc.adjust([0.1], "holm", exact=value),
        "monotone": lambda: pc.rank_pairs(scores, monotone=value),
        "step_down": lambda: pc.dunnett(scores, control="CN2", step_down=value),
        "simultaneous": lambda: pc.superiority(scores, simultaneous=value),
        "singletons": lambda: pc.cliques(pc.rank_pairs(scores), singletons=value),
        "mcclish": lambda: pc.partial_auc_interval(
            LABEL, SCORE, positive="p", low=0, high=0.5, mcclish=value
        ),
        "wide": lambda: pc.read_scores(pc.example_path(), wide=value),
        "transpose": lambda: pc.read_scores(
            pc.example_path(), wide=True, transpose=value
        ),
        "battles": lambda: pc.starter_plan(pc.example_path(), battles=value),
        "marks": lambda: pc.starter_plan(pc.example_path(), readers=True, marks=value),
        "top_label": lambda: pc.calibration_error(
            LABEL, {"p": SCORE}, bins="equal-mass", n_bins=2, top_label=value
        ),
    }
    for name, call in calls.items():
        with pytest.raises(pc.InputError, match=rf"{name}=.*give True or False"):
            call()


def test_a_number_beyond_all_doubles_is_no_level():
    for level in (10**400, Fraction(10**400), np.timedelta64(1), np.array(0.9)):
        with pytest.raises(pc.InputError, match="level"):
            pc.anova(pc.example(), level=level)
    with pytest.raises(pc.InputError, match="decimals=True"):
        pc.friedman(pc.example(), decimals=True)


def small(x: Any) -> pd.DataFrame:
    return pd.DataFrame({"x": x, "y": [3.0, 1, 4, 1, 5, 9, 2, 6]})


def test_exact_numbers_of_databases_are_covariates():
    wanted = pc.linear_model(small(SCORE), "y ~ x").anova
    for kind in (Decimal, Fraction):
        found = pc.linear_model(small([kind(v) for v in SCORE]), "y ~ x")
        pd.testing.assert_frame_equal(found.anova, wanted)
    swapped = small(SCORE).assign(y=[Decimal(v) for v in small(SCORE)["y"]])
    pd.testing.assert_frame_equal(pc.linear_model(swapped, "y ~ x").anova, wanted)


def test_a_model_takes_no_complex_numbers_and_no_dates_as_groups():
    with pytest.raises(
        pc.InputError, match="column 'x': expected numbers, got complex"
    ):
        pc.linear_model(small(np.array(SCORE) + 1j), "y ~ x")
    with pytest.raises(pc.InputError, match="column 'x': float64 cannot hold"):
        pc.linear_model(small([2**53 + 1, *range(7)]), "y ~ x")
    days = pd.date_range("2020", periods=4).repeat(2)
    with pytest.raises(pc.InputError, match=r"dates or times.*as groups, C\(x\)"):
        pc.linear_model(small(days), "y ~ x")
    assert pc.linear_model(small(days), "y ~ C(x)").anova["df1"].tolist() == [3, 4]
    with pytest.raises(pc.InputError, match="column 'x' must hold text or numbers"):
        pc.linear_model(small([[1], 2, 3, 4, 5, 6, 7, 8]), "y ~ x")


def test_categories_in_a_dict_of_columns_stay_categories():
    columns = {"x": pd.Categorical([1, 2, 3, 4] * 2), "y": list(range(8))}
    assert pc.linear_model(columns, "y ~ x").anova["df1"].tolist() == [3, 4]


def test_a_misspelt_argument_of_a_report_is_named_with_the_nearest(tmp_path):
    found = pc.compare(pc.example())
    with pytest.raises(TypeError, match="argument 'fomats'; did you mean 'formats'"):
        pc.report(found, tmp_path / "out", fomats=["html"])
    assert not list(tmp_path.iterdir())


def test_a_word_in_place_of_true_overwrites_and_recomputes_nothing(tmp_path):
    found = pc.compare(pc.example())
    calls = {
        "overwrite": lambda: pc.report(found, tmp_path / "out", overwrite="no"),
        "cross_check": lambda: pc.report(found, tmp_path / "out", cross_check="no"),
        "recompute": lambda: pc.verify(tmp_path, recompute="no"),
    }
    for name, call in calls.items():
        with pytest.raises(pc.InputError, match=f"{name}='no': give True or False"):
            call()
    assert not list(tmp_path.iterdir())


def test_what_is_no_result_is_not_cited():
    with pytest.raises(pc.InputError, match="1 of type int is no result"):
        pc.cite(pc.friedman(pc.example()), 1)
