"""The study of family-wise errors: decisions in batches, truths, counting, the page."""

from __future__ import annotations

import dataclasses
import json
from functools import partial

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.parallel.place import working
from validation import family_wise
from validation.family_wise import (
    batch,
    designs,
    engine,
    folds,
    page,
    public,
    rows,
    tables,
    truths,
    versions,
)
from validation.family_wise.methods import ALPHA, METHODS
from validation.family_wise.scenarios import SCENARIOS, Scenario
from validation.family_wise.tables import family

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
SIZES = {"n_train": designs.TRAIN, "n_test": designs.TEST}


@pytest.fixture(autouse=True)
def here():
    """Studies run in this process."""
    with working(1):
        yield


def scores(values: np.ndarray, datasets: int | None = None) -> pc.Scores:
    """Make scores of values (b, a) or (b, a, p), higher better, dealt to data sets."""
    values = values.reshape(*values.shape[:2], -1)
    b, a, p = values.shape
    owners = None
    blocks = tuple(f"b{i}" for i in range(b))
    if datasets is not None:
        owners = tuple(f"d{i * datasets // b}" for i in range(b))
        blocks = tuple(f"{owner}/{i}" for i, owner in enumerate(owners))
    return pc.Scores(
        values=values,
        blocks=blocks,
        algorithms=tuple(f"A{j + 1}" for j in range(a)),
        metrics=tuple(pc.Metric(f"m{k + 1}", "higher") for k in range(p)),
        datasets=owners,
    )


def signs_of(table: pd.DataFrame, a: int, control: bool, lower: bool) -> np.ndarray:
    """Return the decisions of a public table, in the order of a family."""
    square = np.zeros((a, a), int)
    for row in table.itertuples():
        if row.p_adjusted <= ALPHA:
            i, j = (int(name[1:]) - 1 for name in (row.algorithm_1, row.algorithm_2))
            sign = int(np.sign(row.estimate)) * (-1 if lower else 1)
            square[i, j], square[j, i] = sign, -sign
    return square[family(a, control)]


def public_ranks(x: np.ndarray, control: str | None, **more: str) -> np.ndarray:
    """Decide by pc.rank_pairs."""
    found = pc.rank_pairs(scores(x), control=control, **more)
    return signs_of(found.table, x.shape[1], control is not None, True)


def public_max_t(x: np.ndarray, control: str | None, on: str) -> np.ndarray:
    """Decide by pc.max_t."""
    found = pc.max_t(scores(x), control=control, on=on)
    a = x.shape[1]
    return signs_of(found.table, a, control is not None, on == "ranks")


def public_signs(x: np.ndarray, control: str | None) -> np.ndarray:
    """Decide by the sign tests of pc.superiority."""
    found = pc.superiority(scores(x), adjust="holm", control=control).table
    better = found.assign(estimate=found["wins"] - found["losses"])
    return signs_of(better, x.shape[1], control is not None, False)


def public_paired(
    x: np.ndarray, control: str | None, test: str, adjust: str
) -> np.ndarray:
    """Decide by single tests of two algorithms, adjusted by pc.adjust."""
    whole = scores(x)
    a = x.shape[1]
    first, second = family(a, control is not None)
    p, estimate = [], []
    for i, j in zip(first, second, strict=True):
        pair = (f"A{i + 1}", f"A{j + 1}")
        if test == "paired_t":
            found = pc.paired_t(whole, algorithms=pair)
            estimate.append(found.estimate)
        else:
            found = pc.wilcoxon(whole, algorithms=pair)
            estimate.append(found.rank_biserial)
        p.append(1.0 if np.isnan(found.p_value) else found.p_value)
    if adjust == "bergmann-hommel":
        square = np.ones((a, a))
        square[first, second] = square[second, first] = p
        adjusted = pc.adjust(square, adjust)[first, second]
    else:
        adjusted = pc.adjust(p, adjust)
    return np.where(adjusted <= ALPHA, np.sign(estimate), 0)


def public_pooled(x: np.ndarray, control: str | None, name: str) -> np.ndarray:
    """Decide with the error of the model."""
    whole, a = scores(x), x.shape[1]
    if name == "tukey":
        found = pc.tukey(whole)
    elif name == "dunnett":
        found = pc.dunnett(whole, control=control)
    else:
        found = pc.pairwise_t(whole, adjust=name, control=control)
    return signs_of(found.table, a, control is not None, False)


def public_corrected(
    x: np.ndarray, control: str | None, adjust: str, overlap: float = 1.0
) -> np.ndarray:
    """Decide by corrected t tests."""
    sizes = {**SIZES, "overlap": overlap}
    found = pc.corrected_pairs(scores(x), adjust=adjust, control=control, **sizes)
    return signs_of(found.table, x.shape[1], control is not None, False)


def public_whole(x: np.ndarray, control: str | None, name: str) -> np.ndarray:
    """Decide by a test of all algorithms."""
    found = getattr(pc, name)(scores(x))
    return np.array([int(found.rejected(ALPHA))])


NORMAL = {"std_error": "permutation"}
PUBLIC = {
    "ranks/normal/bergmann-hommel": partial(
        public_ranks, adjust="bergmann-hommel", **NORMAL
    ),
    "ranks/normal/holm": partial(public_ranks, adjust="holm", **NORMAL),
    "ranks/normal/holm/control": partial(public_ranks, adjust="holm", **NORMAL),
    "ranks/normal/nemenyi": partial(public_ranks, adjust="nemenyi", **NORMAL),
    "ranks/exact/bergmann-hommel": partial(
        public_ranks, adjust="bergmann-hommel", p_value="exact"
    ),
    "ranks/sign-flips/bergmann-hommel": partial(
        public_ranks, adjust="bergmann-hommel", p_value="sign-flips"
    ),
    "ranks/sign-flips/holm": partial(public_ranks, adjust="holm", p_value="sign-flips"),
    "ranks/sign-flips/holm/control": partial(
        public_ranks, adjust="holm", p_value="sign-flips"
    ),
    **{
        f"ranks/normal/{name}/control": partial(public_ranks, adjust=name, **NORMAL)
        for name in ("hommel", "holland")
    },
    **{
        f"{kind}-ranks/{source}/{name}{end}": partial(
            public_ranks, adjust=name, method=kind, p_value=source
        )
        for kind in ("aligned", "quade")
        for source in ("normal", "sign-flips")
        for name, end in (("bergmann-hommel", ""), ("holm", ""), ("holm", "/control"))
    },
    "ranks/max-t": partial(public_max_t, on="ranks"),
    "ranks/max-t/control": partial(public_max_t, on="ranks"),
    "scores/max-t": partial(public_max_t, on="scores"),
    "scores/max-t/control": partial(public_max_t, on="scores"),
    "superiority/sign/holm": public_signs,
    "superiority/sign/holm/control": public_signs,
    "two/wilcoxon/holm": partial(public_paired, test="wilcoxon", adjust="holm"),
    "two/wilcoxon/holm/control": partial(public_paired, test="wilcoxon", adjust="holm"),
    "means/paired-t/holm": partial(public_paired, test="paired_t", adjust="holm"),
    "means/paired-t/holm/control": partial(
        public_paired, test="paired_t", adjust="holm"
    ),
    "means/paired-t/hommel/control": partial(
        public_paired, test="paired_t", adjust="hommel"
    ),
    "means/paired-t/bergmann-hommel": partial(
        public_paired, test="paired_t", adjust="bergmann-hommel"
    ),
    "means/pooled/tukey": partial(public_pooled, name="tukey"),
    "means/pooled/bergmann-hommel": partial(public_pooled, name="bergmann-hommel"),
    "means/pooled/holm/control": partial(public_pooled, name="holm"),
    "means/pooled/hommel/control": partial(public_pooled, name="hommel"),
    "means/pooled/dunnett/control": partial(public_pooled, name="dunnett"),
    "omnibus/friedman": partial(public_whole, name="friedman"),
    "omnibus/aligned-ranks": partial(public_whole, name="aligned_ranks"),
    "omnibus/quade": partial(public_whole, name="quade"),
    "omnibus/anova": partial(public_whole, name="anova"),
}
# All changes of sign are listed for so few blocks, so nothing is random.
ON_TABLES = (
    "three tiers; 8 x 5",
    "ladder with a tied pair; 10 x 5",
    "three tiers, scores rounded; 8 x 5",
    "one algorithm noisier, one winner; 8 x 3",
    "one winner; 6 x 10",
)
RUNS = 3
COMPARED = [method for method in METHODS if method.guarantee in PUBLIC]


@pytest.mark.parametrize("name", ON_TABLES)
@pytest.mark.parametrize("method", COMPARED, ids=lambda m: m.guarantee)
def test_decisions_on_tables_are_those_of_the_public_functions(name, method):
    scenario = BY_NAME[name]
    data = scenario.make(3, RUNS)
    found = method.signs(data)
    control = f"A{scenario.a}" if method.control else None
    for x, signs in zip(data.x, found, strict=True):
        expected = PUBLIC[method.guarantee](x, control)
        assert signs.tolist() == np.asarray(expected).astype(int).tolist()


def test_most_decisions_that_are_compared_are_rejections_of_some_pair():
    made = [
        method.signs(BY_NAME[name].make(3, RUNS)).any(axis=1)
        for name in ON_TABLES
        for method in COMPARED
    ]
    assert np.mean(np.concatenate(made)) > 0.3


@pytest.mark.parametrize("overlap", [True, False])
def test_one_model_and_interaction_are_those_of_the_public_functions(overlap):
    data = designs.folds_of_data_sets(
        np.random.default_rng(5),
        6,
        1.0,
        sets=5,
        k=4,
        a=3,
        interaction=1.0,
        overlap=overlap,
    )
    sizes = SIZES if overlap else {}
    ratio = designs.OVERLAP if overlap else 0.0
    pairs = folds.one_model(ratio, data)
    whole = folds.interaction(ratio, data)
    assert pairs.any()
    assert whole.any()
    for x, signs, hit in zip(data, pairs, whole, strict=True):
        table = scores(x.reshape(-1, 3), 5)
        found = pc.tukey(table, **sizes).table
        assert signs_of(found, 3, False, False).tolist() == signs.tolist()
        assert pc.dataset_interaction(table, **sizes).rejected(ALPHA) == bool(hit[0])


def test_one_model_with_a_control_and_adjusted_is_that_of_the_public_functions():
    data = designs.folds_of_data_sets(
        np.random.default_rng(5), 5, 1.5, sets=5, k=4, a=4, overlap=True
    )
    methods = {m.guarantee: m for m in (*folds.OF_DATA_SETS, *folds.OF_OVERLAPPING)}
    for basis, sizes in (("model/pooled", {}), ("model/corrected", SIZES)):
        made = {
            "dunnett/control": partial(pc.dunnett, control="A4", **sizes),
            "bergmann-hommel": partial(pc.pairwise_t, adjust="bergmann-hommel"),
            "holm/control": partial(pc.pairwise_t, adjust="holm", control="A4"),
            "hommel/control": partial(pc.pairwise_t, adjust="hommel", control="A4"),
        }
        for name, decide in made.items():
            method = methods[f"{basis}/{name}"]
            found = method.signs(data)
            assert found.any()
            for x, signs in zip(data, found, strict=True):
                more = {} if name.startswith("dunnett") else sizes
                table = decide(scores(x.reshape(-1, 4), 5), **more).table
                assert signs_of(table, 4, method.control, False).tolist() == (
                    signs.tolist()
                )


def test_corrected_pooled_tests_of_folds_are_those_of_the_public_functions():
    data = designs.folds(np.random.default_rng(8), 6, 2.5, n=10, a=4, overlap=True)
    methods = {m.guarantee: m for m in folds.ON_FOLDS}
    made = {
        "folds/corrected/tukey": partial(pc.tukey, **SIZES),
        "folds/corrected/dunnett/control": partial(pc.dunnett, control="A4", **SIZES),
        "folds/corrected-t/holm/control": partial(
            pc.corrected_pairs, adjust="holm", control="A4", **SIZES
        ),
        "folds/corrected-t/hommel/control": partial(
            pc.corrected_pairs, adjust="hommel", control="A4", **SIZES
        ),
        "folds/paired-t/holm": partial(pc.paired_t_pairs, adjust="holm"),
        "folds/paired-t/holm/control": partial(
            pc.paired_t_pairs, adjust="holm", control="A4"
        ),
        "folds/pooled/bergmann-hommel": partial(
            pc.pairwise_t, adjust="bergmann-hommel"
        ),
        "folds/pooled/hommel/control": partial(
            pc.pairwise_t, adjust="hommel", control="A4"
        ),
    }
    for key, decide in made.items():
        found = methods[key].signs(data)
        assert found.any()
        for x, signs in zip(data, found, strict=True):
            table = decide(scores(x)).table
            expected = signs_of(table, 4, methods[key].control, False)
            assert signs.tolist() == expected.tolist(), key


def test_terms_of_strata_are_those_of_linear_model():
    data = designs.two_kinds(np.random.default_rng(3), 8, 0.8, sets=5, a=3, kind=2.0)
    found = {
        term: folds.strata(term, data) for term in ("between", "within", "crossed")
    }
    assert found["between"].any() and found["within"].any()
    names = {"between": "kind", "within": "learner", "crossed": "kind:learner"}
    for run, x in enumerate(data):
        frame = pd.DataFrame(
            [
                {
                    "kind": f"k{i}",
                    "data": f"d{i}{j}",
                    "learner": f"A{m}",
                    "y": x[i, j, m],
                }
                for i, j, m in np.ndindex(x.shape)
            ]
        )
        rows = pc.linear_model(frame, "y ~ kind * learner", within="data").anova
        p = rows.set_index("term")["p_value"]
        for term, name in names.items():
            assert bool(found[term][run, 0]) == bool(p[name] <= ALPHA), (run, term)


def test_public_decisions_are_signs_of_the_better_algorithm():
    gaps = designs.with_gaps(np.random.default_rng(2), 3, 9.0, n=12, a=3)
    assert np.isnan(gaps).any()
    pairs, control, whole = public.INCOMPLETE
    assert whole.signs(gaps).all()
    runs = designs.runs_on_blocks(np.random.default_rng(2), 3, 9.0, n=6, a=3, k=2)
    assert public.ALL_RUNS.signs(runs).all()
    same = designs.runs_on_blocks(np.random.default_rng(2), 3, 0.0, n=6, a=3, k=2)
    assert not public.ALL_RUNS.signs(same).any()
    assert (pairs.signs(gaps)[:, :2] == 1).all()
    assert (control.signs(gaps)[:, 0] == 1).all()
    one = designs.of_one_size(np.random.default_rng(2), 3, 1.0, n=8, a=2)
    assert (public.of_one_size(one) == 1).all()
    mixed = designs.of_one_size(np.random.default_rng(2), 3, 0.0, n=8, a=2)
    assert not public.of_one_size(mixed).any()
    apart = designs.samples(np.random.default_rng(2), 3, 9.0, n=20, a=3)
    assert public.VECTORS_PERMUTED.signs(apart).all()
    for method in public.SAMPLES:
        assert (method.signs(apart) == [1, 1, 0]).all(), method.title
    cases = designs.scored_cases(np.random.default_rng(2), 2, 2.0, n=120, a=3)
    for method in public.AREAS:
        assert (method.signs(cases)[:, :2] == 1).all(), method.title


def grid(won: pd.DataFrame, n: int, **more: str) -> list[int]:
    """Return the decisions of pc.sign_grid by Holm."""
    found = pc.sign_grid(won, n, adjust="holm", **more)
    return signs_of(found.table, len(won), "control" in more, True).tolist()


def test_wins_beside_a_control_are_those_of_wins():
    rng = np.random.default_rng(2)
    data = designs.folds_of_data_sets(rng, 4, 5.0, sets=9, k=5, a=3, overlap=True)
    by_t = partial(pc.corrected_pairs, adjust="holm", control="A3", **SIZES)
    for method, decide in (
        ("tukey", folds.dunnett_wins),
        (by_t, partial(folds.corrected_control_wins, folds.published)),
    ):
        found = decide(data)
        assert found.any()
        for x, signs in zip(data, found, strict=True):
            table = scores(x.reshape(-1, 3), 9)
            won = pc.wins(table, method=method, omnibus=False, control="A3")
            assert grid(won.wins, won.n_datasets, control="A3") == signs.tolist()


def test_wins_by_tukey_and_by_corrected_t_are_those_of_wins():
    rng = np.random.default_rng(2)
    data = designs.folds_of_data_sets(rng, 4, 5.0, sets=9, k=5, a=3, overlap=True)
    by_t = partial(pc.corrected_pairs, adjust="holm", **SIZES)
    for method, decide in (
        ("tukey", folds.tukey_wins),
        (by_t, partial(folds.corrected_wins, folds.published)),
    ):
        found = decide(data)
        assert found.any()
        for x, signs in zip(data, found, strict=True):
            table = scores(x.reshape(-1, 3), 9)
            won = pc.wins(table, method=method, omnibus=False)
            assert grid(won.wins, won.n_datasets) == signs.tolist()


def counted(x: np.ndarray, names: list[str]) -> pc.Scores:
    """Return counts (sets, k, a, metrics) as scores."""
    sets, k, a, p = x.shape
    made = scores(x.reshape(sets * k, a, p), sets)
    better = {"tp": "higher", "fp": "lower", "tn": "higher", "fn": "lower"}
    metrics = tuple(pc.Metric(n, better[n.partition("@")[0]]) for n in names)
    return pc.Scores(
        values=made.values,
        blocks=made.blocks,
        algorithms=made.algorithms,
        metrics=metrics,
        datasets=made.datasets,
    )


COUNTS = ("tp", "fp", "tn", "fn")


def test_wins_by_risk_are_those_of_wins():
    rng = np.random.default_rng(1)
    data = designs.confusion_counts(rng, 3, 0.5, interaction=0.3)
    found = folds.risk_wins(data)
    assert found.any()
    for x, signs in zip(data, found, strict=True):
        won = pc.wins(
            counted(x, list(COUNTS)),
            metrics=COUNTS,
            adjust="bergmann-hommel",
            omnibus=False,
            cost_ratio=1,
        )
        assert grid(won.wins, won.n_datasets) == signs.tolist()


@pytest.mark.parametrize("rule", ["sign", "any"])
def test_wins_over_thresholds_are_those_of_threshold_wins(rule):
    rng = np.random.default_rng(4)
    data = designs.counts_at_thresholds(rng, 2, 0.5)
    found = folds.threshold_wins(rule, designs.THRESHOLDS, data)
    assert found.any()
    names = [f"{name}@{t:g}" for t in designs.THRESHOLDS for name in COUNTS]
    for x, signs in zip(data, found, strict=True):
        flat = np.moveaxis(x, 1, 3).reshape(15, 8, 3, -1)
        won = pc.threshold_wins(counted(flat, names), rule=rule)
        assert grid(won.wins, won.n_datasets) == signs.tolist()


def test_mean_vectors_are_those_of_hotelling_pairs_and_manova():
    rng = np.random.default_rng(6)
    data = designs.metrics_on_folds(rng, 5, 0.6, n=20, a=4)
    pairs = folds.vectors(folds.by_bergmann_hommel, data)
    whole = folds.wilks(data)
    assert pairs.any()
    for x, signs, hit in zip(data, pairs, whole, strict=True):
        found = pc.hotelling_pairs(scores(x), adjust="bergmann-hommel")
        assert found.rejected(ALPHA).to_numpy().tolist() == signs.astype(bool).tolist()
        assert pc.manova(scores(x)).rejected(ALPHA) == bool(hit[0])


def test_areas_are_those_of_delong():
    score, truth = designs.scored_cases(np.random.default_rng(7), 6, 0.6, n=120, a=4)
    found = folds.delong(folds.by_bergmann_hommel, (score, truth))
    assert found.any()
    for x, signs in zip(score, found, strict=True):
        columns = {f"A{j + 1}": row for j, row in enumerate(x)}
        result = pc.delong(truth, columns, positive=True, adjust="bergmann-hommel")
        assert signs_of(result.table, 4, False, False).tolist() == signs.tolist()


def test_corrected_t_on_folds_is_that_of_corrected_pairs():
    data = designs.folds(np.random.default_rng(8), 6, 2.0, n=10, a=5, overlap=True)
    for name, adjust, term, overlap in (
        ("holm", folds.by_holm, folds.published, 1.0),
        ("bergmann-hommel", folds.by_bergmann_hommel, folds.published, 1.0),
        ("bergmann-hommel", folds.by_bergmann_hommel, folds.enlarged, 1.75),
    ):
        found = folds.tables(partial(folds.corrected, adjust, term), data)
        assert found.any()
        for x, signs in zip(data, found, strict=True):
            own = public_corrected(x, None, name, overlap)
            assert own.tolist() == signs.tolist()


def test_the_enlarged_term_of_the_study_is_that_of_compare():
    """Ten folds are one cross-validation, thirty are three; others have sizes only."""
    assert [folds.enlarged(n) for n in (5, 10, 30)] == [2.25, 1.75, 2.25]
    data = designs.folds(np.random.default_rng(3), 4, 3.0, n=10, a=3, overlap=True)
    plan = pc.Plan(blocks="folds", protocol="cross-validation", n_folds=10)
    found = folds.CORRECTED_PAIRS[0].signs(data)
    assert found.any()
    for x, signs in zip(data, found, strict=True):
        [analysis] = pc.compare(scores(x), plan).analyses
        made = signs_of(analysis.decisive.table, 3, False, False)
        assert made.tolist() == signs.tolist()


def test_margins_are_those_of_equivalence_pairs():
    data = designs.folds(np.random.default_rng(9), 8, 0.5, n=15, a=3, overlap=False)
    alike = folds.tables(partial(folds.alike_within, 1.1, folds.independent), data)
    shared = folds.tables(partial(folds.alike_within, 1.6, folds.published), data)
    better = folds.control_tables(
        partial(folds.not_worse, 0.9, folds.independent), data
    )
    ahead = folds.control_tables(partial(folds.not_worse, 1.6, folds.published), data)
    assert alike.any() and shared.any() and better.any() and ahead.any()
    for i, x in enumerate(data):
        found = pc.equivalence_pairs(scores(x), margin=1.1, alpha=ALPHA)
        assert found.table["shown"].tolist() == alike[i].astype(bool).tolist()
        found = pc.equivalence_pairs(scores(x), margin=1.6, alpha=ALPHA, **SIZES)
        assert found.table["shown"].tolist() == shared[i].astype(bool).tolist()
        found = pc.equivalence_pairs(
            scores(x), margin=0.9, kind="non-inferiority", control="A3", alpha=ALPHA
        )
        assert found.table["shown"].tolist() == better[i].astype(bool).tolist()
        found = pc.equivalence_pairs(
            scores(x),
            margin=1.6,
            kind="non-inferiority",
            control="A3",
            alpha=ALPHA,
            **SIZES,
        )
        assert found.table["shown"].tolist() == ahead[i].astype(bool).tolist()


# ---- batch kernels ------------------------------------------------------------------


@pytest.mark.parametrize("a", [3, 5, 8, 11])
def test_bergmann_hommel_decides_as_adjust(a):
    rng = np.random.default_rng(a)
    p = rng.beta(0.3, 1, (25, a * (a - 1) // 2))
    found = batch.bergmann_hommel(p, a, ALPHA)
    first, second = np.triu_indices(a, 1)
    for row, decided in zip(p, found, strict=True):
        square = np.ones((a, a))
        square[first, second] = square[second, first] = row
        expected = pc.adjust(square, "bergmann-hommel")[first, second] <= ALPHA
        assert decided.tolist() == expected.tolist()


@pytest.mark.parametrize("m", [1, 2, 4, 9])
@pytest.mark.parametrize("name", ["holm", "hommel", "holland"])
def test_adjustments_decide_as_adjust(name, m):
    p = np.random.default_rng(m).beta(0.3, 3, (200, m))
    p[0] = 1.0
    found = getattr(batch, name)(p, ALPHA)
    assert found.any()
    for row, decided in zip(p, found, strict=True):
        assert decided.tolist() == (pc.adjust(row, name) <= ALPHA).tolist()


@pytest.mark.parametrize("largest", [1, 4, 9])
@pytest.mark.parametrize("n", [1, 6, 9])
def test_tails_of_fair_signs_are_those_of_all_signs(n, largest):
    rng = np.random.default_rng([n, largest])
    steps = rng.integers(0, largest + 1, (40, n))
    every = np.array(np.meshgrid(*[[-1, 1]] * n)).reshape(n, -1)
    observed = (steps * rng.choice([-1, 1], steps.shape)).sum(axis=1)
    exact = (np.abs(steps @ every) >= np.abs(observed)[:, None]).mean(axis=1)
    assert np.allclose(batch.sign_tails(steps, observed), exact, rtol=0, atol=1e-13)


@pytest.mark.parametrize("on", ["ranks", "scores"])
@pytest.mark.parametrize("control", [None, "A3"])
def test_closed_permutation_decides_as_the_public_one_where_p_is_clear(on, control):
    scenario = BY_NAME["three tiers; 8 x 5"]
    data = scenario.make(5, 40).x[:, :, [0, 2, 4]]
    data[:, :4] += 3 * np.array([2.0, 1.0, 0.0])
    data = data[:, :7]
    key = f"{on}/closed-permutation{'/control' if control else ''}"
    method = next(m for m in METHODS if m.guarantee == key)
    found = method.signs(tables.Tables(data))
    compared = 0
    for x, signs in zip(data[:12], found, strict=False):
        single = pc.closed_permutation(scores(x), on=on, control=control)
        p = single.table["p_adjusted"].to_numpy()
        clear = np.abs(p - ALPHA) > 0.02
        expected = signs_of(single.table, 3, method.control, on == "ranks")
        assert signs[clear].tolist() == expected[clear].tolist()
        compared += int((clear & (expected != 0)).sum())
    assert compared > 5


# ---- truths -------------------------------------------------------------------------

TRUTHS = [*truths.partial_nulls(), *truths.unequal(), *truths.other_laws()]


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.name)
@pytest.mark.parametrize("a", [5, 6])
def test_what_is_said_to_be_true_is_true_of_the_scores(truth, a):
    """Blocks are independent, so one table of many blocks shows the law of one."""
    rng = np.random.default_rng(a)
    x = truth.make(rng, 3000, 15, a).reshape(-1, a)
    ranks = tables.Tables(x[None]).ranks[0]
    signs = truth.signs(a)
    heavy = "t2" in truth.name or "Cauchy" in truth.name
    statistics = {
        truths.MEAN_RANK: lambda i, j: ranks[:, i] - ranks[:, j],
        truths.WINS: lambda i, j: np.sign(ranks[:, i] - ranks[:, j]),
        truths.EXCHANGEABLE: lambda i, j: ranks[:, i] - ranks[:, j],
    }
    if not heavy:
        statistics[truths.MEAN] = lambda i, j: x[:, i] - x[:, j]
    for hypothesis, difference in statistics.items():
        for i, j in zip(*np.triu_indices(a, 1), strict=True):
            d = difference(i, j)
            sign = signs[hypothesis][i, j]
            z = d.mean() / max(d.std() / np.sqrt(len(d)), 1e-300)
            if sign == 0:
                assert abs(z) < 4.5, (hypothesis, i, j)
            elif abs(sign) == 1:
                assert sign * z > 3, (hypothesis, i, j)


def test_each_truth_names_the_assumptions_that_it_violates():
    noisy = BY_NAME["one algorithm noisier; 15 x 5"]
    by_key = {m.guarantee: m for m in noisy.methods}
    z = by_key["ranks/normal/holm/control"]
    assert noisy.broken(z, truths.MEAN_RANK) == ["equal-variances", "exchangeable"]
    tukey = by_key["means/pooled/tukey"]
    assert "equal-variances" in noisy.broken(tukey, truths.MEAN)
    three = BY_NAME["one of three alike wins each block; 8 x 5"]
    max_t = {m.guarantee: m for m in three.methods}["scores/max-t"]
    assert "jointly-symmetric" in three.broken(max_t, truths.EXCHANGEABLE)
    null = BY_NAME["no algorithm differs, lognormal scores; 8 x 5"]
    ranks = {m.guarantee: m for m in null.methods}["ranks/max-t"]
    assert null.broken(ranks, truths.EXCHANGEABLE) == ["normal"]


# ---- counting, chunks and the page --------------------------------------------------


def test_errors_differences_and_wrong_directions_are_counted():
    expected = np.array([0, 1, -1, 2], np.int8)
    signs = np.array(
        [[0, 1, -1, 1], [1, 0, 0, 0], [0, -1, -1, 0], [0, 0, 0, 0]], np.int8
    )
    found = engine.counted(signs, expected)
    assert found == {"runs": 4, "errors": 1, "found": 1.5, "wrong": 1}


@pytest.fixture
def small(monkeypatch, tmp_path):
    names = (
        "no algorithm differs; 15 x 2",
        "one winner; 8 x 3",
        "one winner, by 1.5; 10 overlapping folds x 2",
    )
    some = tuple(BY_NAME[name] for name in names)
    monkeypatch.setattr(family_wise, "SCENARIOS", some)
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(page, "JSON", tmp_path / "rows.json")
    return tmp_path, some


def test_a_killed_study_resumes_to_the_same_page(small, capsys):
    folder, some = small
    summary = family_wise.run(folder / "study", 50, some)
    whole = page.PAGE.read_text(encoding="utf-8"), page.JSON.read_text(encoding="utf-8")
    [path] = (folder / "study").iterdir()
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == len(some) * engine.CHUNKS
    path.write_text("".join(lines[:70]) + lines[70][:40], encoding="utf-8")
    capsys.readouterr()
    assert family_wise.run(folder / "study", 50, some, again=True) == summary
    assert whole == (
        page.PAGE.read_text(encoding="utf-8"),
        page.JSON.read_text(encoding="utf-8"),
    )
    said = capsys.readouterr().out
    assert "80 chunks of 3 scenarios to do" in said
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(lines)
    found = rows.stored(page.JSON)
    assert {row["runs"] for row in found} <= {5, 10, 15, 50}
    overlap = [r for r in found if r["guarantee"] == "two/paired-t"]
    assert all(not r["promised"] for r in overlap)


def test_some_rows_alone_are_printed_and_the_page_stays(small):
    folder, some = small
    said = family_wise.run(folder / "study", 50, some[:1])
    assert not page.PAGE.exists() and not page.JSON.exists()
    assert "no algorithm differs; 15 x 2; paired t, Holm; equal means: 0." in said
    assert "promised family-wise errors are within their bounds" in said


def test_a_new_method_is_run_on_the_data_of_finished_chunks(small):
    folder, some = small
    path = folder / "lines.jsonl"
    part = some[0].methods[:1]
    one = Scenario(**{**vars_of(some[0]), "methods": part})
    engine.run([one], path, 50, lambda text: None, {})
    engine.run([some[0]], path, 50, lambda text: None, {})
    again = folder / "again.jsonl"
    engine.run([some[0]], again, 50, lambda text: None, {})
    assert engine.added(some, path) == engine.added(some, again)


def vars_of(scenario: Scenario) -> dict:
    """Return the fields of a scenario."""
    return {name: getattr(scenario, name) for name in Scenario.__dataclass_fields__}


def test_only_rows_that_are_decided_otherwise_are_run_again(small, capsys, monkeypatch):
    folder, some = small
    family_wise.run(folder / "study", 50, some)
    whole = page.JSON.read_text(encoding="utf-8")
    capsys.readouterr()
    family_wise.run(folder / "nothing", 50, some)
    n = len(rows.stored(page.JSON))
    said = capsys.readouterr().out
    assert f"{n} of {n} rows are decided as when" in said and "to do" not in said
    assert page.JSON.read_text(encoding="utf-8") == whole
    method = some[2].methods[0]
    other = dataclasses.replace(method, decide=lambda data: 0 * method.decide(data))
    changed = dataclasses.replace(some[2], methods=(other, *some[2].methods[1:]))
    others = [*some[:2], changed]
    monkeypatch.setattr(family_wise, "SCENARIOS", others)
    family_wise.run(folder / "changed", 50, others)
    assert f"{n - 1} of {n} rows" in capsys.readouterr().out
    made = {versions.key_of(rows.Row(**r)): r for r in rows.stored(page.JSON)}
    own = versions.key(changed, method, method.hypothesis)
    assert made[own]["power"] == 0
    before = json.loads(whole)["rows"]
    assert sum(list(r.values()) not in before for r in made.values()) == 1


SAMPLE = [
    "no algorithm differs; 15 x 5",
    "three tiers; 8 x 5",
    "one winner, by 1.5; 10 overlapping folds x 5",
    "one winner, by 2; 15 data sets x 10 overlapping folds x 3",
    "one winner, by 1; 10-fold cross-validation of 4 learners",
]


@pytest.mark.parametrize("name", SAMPLE)
def test_stored_rows_are_those_of_the_present_code(name):
    """All: ``python -m validation.family_wise``, which runs the rows that are not."""
    held = {versions.key_of(rows.Row(**r)): r["decisions"] for r in rows.stored()}
    made = versions.decided(BY_NAME[name])
    assert made.items() <= held.items()


def test_an_error_above_its_bound_is_named(small):
    folder, some = small
    path = folder / "lines.jsonl"
    engine.run(some[:1], path, 50, lambda text: None, {})
    counts = engine.added(some, path)
    assert "above" not in page.summary(list(page.results(some, counts, {})))
    name = "paired t, Holm; equal means"
    counts[some[0].name][name]["errors"] = 20
    said = page.summary(list(page.results(some, counts, {})))
    assert said.endswith("above: paired t, Holm, no algorithm differs, 15 x 2: 0.4000")


def test_the_page_is_made_of_the_stored_rows():
    found = [rows.Row(**row) for row in rows.stored()]
    made = page.page(found)
    shown = (page.FOLDER / "FAMILY_WISE.md").read_text(encoding="utf-8").splitlines()
    # The last lines name the versions that computed it.
    assert shown[: len(made) - 5] == made[:-5]


def test_stored_rows_are_of_the_scenarios_and_promised_errors_are_within_the_bound():
    stored = rows.stored()
    names = {f"{row['truth']}; {row['design']}" for row in stored}
    assert names == set(BY_NAME)
    above = [row for row in stored if row["promised"] and row["error"] > row["bound"]]
    assert above == []


HELD = [
    "no algorithm differs; 15 x 5",
    "three tiers; 8 x 5",
    "two unstable algorithms among ordered ones; 15 x 5",
    "no algorithm differs; 15 data sets x 10 overlapping folds x 3",
    "no algorithm differs; 10 overlapping folds x 5",
    "no algorithm differs; 200 cases x 4",
    "extremes differ by the margin; 15 blocks x 3, margin 1.03",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", HELD)
def test_promised_errors_are_within_four_standard_errors(name):
    scenario = BY_NAME[name]
    line = engine.work(engine.Job(scenario, 1, 200, scenario.methods))
    rows = page.results([scenario], {name: line["counts"]}, {})
    held = [row for row in rows if row.promised]
    assert held
    assert all(row.error <= engine.bound(200, errors=4) for row in held)
