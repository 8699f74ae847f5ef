"""Margins crossed with clusters, runs, gaps and answers: tested or refused."""

import dataclasses
from itertools import product

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.content import margin_report
from tests.conftest import wide

pytestmark = pytest.mark.usefixtures("blank_pictures")

N = 120
RUNS = {
    "one": {},
    "samples": {"replicates": "average", "runs": "samples"},
    "fixed": {"replicates": "average", "runs": "prompts", "runs_scope": "fixed"},
    "sampled": {"replicates": "average", "runs": "prompts", "runs_scope": "sampled"},
}
CLUSTERS = {
    "none": None,
    "equal": tuple(f"t{i // 2}" for i in range(N)),
    "unequal": ("a", *(f"t{i // 2}" for i in range(N - 1))),
    "few": tuple(f"t{i // 12}" for i in range(N)),
}


def case_scores(answers, clusters, runs, gap, a):
    """Right/wrong or graded answers of algorithms that seldom differ."""
    rng = np.random.default_rng(5)
    shape = (N, a, 1 if runs == "one" else 4)
    ends = 2 if answers == "right/wrong" else 3
    own = rng.integers(0, ends, size=(N, 1, 1))
    other = rng.integers(0, ends, size=shape)
    x = np.where(rng.random(shape) < 0.06, other, own) / (ends - 1)
    means = x.mean(axis=-1)
    if gap:
        x[3, 0], means[3, 0] = np.nan, np.nan
    scores = wide(means, missing="model" if gap else "error")
    more = {"clusters": CLUSTERS[clusters]}
    if runs != "one":
        names = tuple(f"p{r}" for r in range(shape[-1]))
        more |= {"runs": x[:, :, None], "replicates": names}
    return dataclasses.replace(scores, **more)


def over_cases(answers, clusters, runs, gap):
    """Return the basis of the test of cases, or a word of the refusal."""
    if runs == "sampled":
        return None, "margin: not available with runs_scope"
    if gap:
        return None, "cells of 'score' are missing"
    if answers == "right/wrong":
        if clusters == "few":
            return None, "too few|20 clusters"
        single = clusters == "none" and runs == "one"
        return (
            "margins/exact-shares" if single else "margins/effective-size-shares"
        ), ""
    if clusters != "none" and answers == "graded":
        return None, "declare the lowest and the highest"
    if clusters == "unequal":
        return None, "clusters of one size"
    return ("margins/t" if answers == "graded" else "margins/bounded-means"), ""


@pytest.mark.parametrize("a", [2, 3])
@pytest.mark.parametrize(
    ("answers", "clusters", "runs", "gap"),
    [*product(("right/wrong", "graded", "range"), CLUSTERS, RUNS, (False, True))],
)
def test_over_cases(answers, clusters, runs, gap, a):
    scores = case_scores(answers, clusters, runs, gap, a)
    keys = {"range": (0, 1)} if answers == "range" else {}
    wanted, words = over_cases(answers, clusters, runs, gap)

    def compared():
        return pc.compare(
            scores,
            pc.Plan(
                blocks="cases",
                margin=0.2,
                hypothesis="equivalence",
                **keys,
                **RUNS[runs],
            ),
        )

    if wanted is None:
        with pytest.raises(pc.PlanError, match=words):
            compared()
        return
    comparison = compared()
    [made] = comparison.analyses
    found = made.within_margin
    assert found.basis.removesuffix("/holm") == wanted
    assert len(found.table) == a * (a - 1) // 2
    assert np.isfinite(found.table["p_value"].to_numpy(float)).all()
    [line, *_] = margin_report.sentences(made)
    assert line in comparison.summary()
    if wanted != "margins/t":
        within = (found.table["conf_low"] > found.margin_low) & (
            found.table["conf_high"] < found.margin_high
        )
        assert (within == found.table["shown"]).all()


DATA_SETS = {
    ("typical-difference", False): "margins/signed-ranks",
    ("typical-difference", True): "margins/signed-ranks",
    ("means", False): "margins/t",
    ("ranks", False): "margins/t",
}


@pytest.mark.parametrize("gap", [False, True])
@pytest.mark.parametrize("compares", ["typical-difference", "means", "ranks"])
@pytest.mark.parametrize("control", [None, "A1"])
def test_over_data_sets(compares, gap, control):
    x = 0.3 * np.random.default_rng(2).normal(size=(20, 3))
    if gap:
        x[3, 0] = x[4, 1] = x[5, 0] = np.nan
    scores = wide(x, missing="model" if gap else "error")
    kind = "equivalence" if control is None else "non-inferiority"
    plan = pc.Plan(
        blocks="datasets",
        compares=compares,
        margin=0.5,
        hypothesis=kind,
        control=control,
    )
    wanted = DATA_SETS.get((compares, gap))
    if wanted is None:
        with pytest.raises(pc.PlanError, match="drop-block"):
            pc.compare(scores, plan)
        return
    [made] = pc.compare(scores, plan).analyses
    found = made.within_margin
    assert found.basis.split("/holm")[0] == wanted
    # Each pair is tested on what both have: as if the other algorithm were not there.
    for row in found.table.itertuples() if compares == "typical-difference" else ():
        pair = [row.algorithm_1, row.algorithm_2]
        both = scores.select(algorithms=pair)
        kept = ~np.isnan(both.column("score")).any(axis=1)
        names = [n for n, keep in zip(scores.blocks, kept, strict=True) if keep]
        alone = pc.signed_rank_margins(
            pc.Scores(
                values=both.values[kept],
                blocks=tuple(names),
                algorithms=both.algorithms,
                metrics=both.metrics,
            ),
            margin=0.5,
            kind=kind,
            control=control,
        )
        assert alone.table["p_value"][0] == row.p_value
        assert alone.table["estimate"][0] == row.estimate
    if gap:
        [line, *_] = margin_report.sentences(made)
        assert "blocks that both have" in line


def test_a_pair_that_shares_no_data_set_is_not_tested():
    x = np.random.default_rng(2).normal(size=(20, 3))
    x[:10, 0] = x[10:, 1] = np.nan
    scores = wide(x, missing="model")
    [made] = pc.compare(
        scores, pc.Plan(blocks="datasets", margin=3.0, hypothesis="equivalence")
    ).analyses
    table = made.within_margin.table.set_index(["algorithm_1", "algorithm_2"])
    apart = table.loc[("A1", "A2")]
    assert np.isnan(apart["p_value"]) and np.isnan(apart["conf_low"])
    assert not apart["shown"] and "share no block" in apart["notes"]
    rest = table.drop(index=[("A1", "A2")])
    assert rest["p_value"].notna().all() and rest["conf_low"].notna().all()
    [line, *_] = margin_report.sentences(made)
    assert "1 of 3 pairs share no block" in line and "1 pair cannot be tested" in line
