import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.pair_methods import PUBLISHED
from tests.conftest import wide


def test_defaults_depend_on_the_control():
    published = pc.Plan(blocks="datasets", compares="ranks", std_error="textbook")
    assert published.decisive == "bergmann-hommel"
    assert pc.Plan(blocks="datasets").adjust == ("holm", "bonferroni")
    assert pc.Plan(blocks="folds", protocol="held-out").decisive == "tukey"
    assert (
        pc.Plan(blocks="folds", protocol="held-out", control="a").decisive == "dunnett"
    )
    assert pc.Plan().adjust == ()
    assert pc.Plan().confidence == 0.95
    assert pc.Plan(alpha=0.01).confidence == 0.99


def test_a_name_given_twice_counts_once():
    assert pc.Plan(adjust=("holm", "BH", "holm", "fdr")).adjust == ("holm", "BH")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0}, "alpha=0"),
        ({"alpha": float("nan")}, "alpha=nan"),
        ({"level": 1}, "level=1"),
        ({"adjust": "holm"}, "tuple"),
        ({"metrics": "error"}, "tuple"),
        ({"adjust": ("bonferoni",)}, "did you mean 'bonferroni'"),
        ({"adjust": ("none", "holm")}, "primary analysis"),
        ({"control": "a", "adjust": ("nemenyi",)}, "made for all pairs"),
        ({"p_values": "normal"}, "p_values='normal'"),
        ({"monotone": True, "adjust": ("holm",)}, "monotone"),
    ],
)
def test_plans_that_cannot_be_are_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.Plan(**options)


@pytest.mark.parametrize(
    ("n", "a", "exact"), [(8, 5, True), (13, 3, True), (9, 5, False), (6, 6, False)]
)
def test_small_tables_get_exact_p_values_by_their_size_alone(n, a, exact):
    x = np.random.default_rng(n).normal(size=(n, a))
    [analysis] = pc.compare(
        wide(x), pc.Plan(compares="ranks", adjust=PUBLISHED)
    ).analyses
    assert (analysis.omnibus.p_source == "exact") is exact
    assert {p.p_source for p in analysis.pairs} == {"exact" if exact else "normal"}


def test_monotone_reaches_the_pairs(garcia_herrera):
    plan = pc.Plan(
        compares="ranks",
        adjust=("bergmann-hommel",),
        monotone=True,
        std_error="textbook",
    )
    [analysis] = pc.compare(garcia_herrera, plan).analyses
    expected = pc.rank_pairs(garcia_herrera, monotone=True).table["p_adjusted"]
    assert analysis.decisive.table["p_adjusted"].tolist() == expected.tolist()


def test_averaged_folds_are_the_means_of_the_data_sets():
    rng = np.random.default_rng(3)
    rows = [
        {"m": m, "d": f"d{d}", "f": f, "y": rng.random()}
        for m in "abc"
        for d in range(5)
        for f in range(4)
    ]
    frame = pd.DataFrame(rows)
    folds = pc.Scores.from_frame(
        frame, algorithm="m", block="f", dataset="d", metrics={"y": "lower"}
    )
    means = frame.groupby(["m", "d"], as_index=False, sort=False)["y"].mean()
    direct = pc.Scores.from_frame(
        means, algorithm="m", block="d", metrics={"y": "lower"}
    )
    got = pc.compare(folds, pc.Plan(average_folds=True))
    assert got.compared.n_blocks == 5
    np.testing.assert_allclose(got.compared.column(), direct.column(), rtol=1e-14)


def test_what_is_no_scores_is_refused_with_how_to_make_them():
    with pytest.raises(pc.InputError, match="from_wide"):
        pc.friedman(pd.DataFrame({"a": [1.0, 2], "b": [2.0, 1]}))


def test_exact_p_values_of_a_table_with_gaps_are_refused():
    x = np.random.default_rng(2).normal(size=(6, 3))
    x[0, 0] = np.nan
    with pytest.raises(pc.DesignError, match="complete table"):
        pc.compare(wide(x, missing="model"), pc.Plan(p_values="exact"))


@pytest.mark.parametrize(("n", "told"), [(1, "1 cell of"), (2, "2 cells of")])
def test_gaps_of_two_algorithms_are_counted_and_the_advice_leads_on(n, told):
    x = np.arange(12.0).reshape(6, 2)
    x[:n, 0] = np.nan
    plan = pc.Plan(blocks="datasets")
    with pytest.raises(pc.DesignError, match=f"{told} .* missing='drop-block'"):
        pc.compare(wide(x, missing="model"), plan)
    pc.compare(wide(x, missing="drop-block"), plan)
