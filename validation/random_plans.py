"""Random scores and random plans over every key that a plan declares, seeded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np

import pycompare as pc
from pycompare.base.typing import Assumes, RankingScheme, TiedRanks, WeightRule
from pycompare.data.blocks import Scale
from pycompare.data.runs import mean_of_runs
from pycompare.designs.pair_methods import MEANS
from pycompare.designs.plans.fields import Compares, MeanTest
from pycompare.designs.plans.posterior_keys import BayesMethod
from pycompare.designs.plans.statements import ESTIMAND, MARGIN
from pycompare.methods.ranks.known import RANK_TESTS
from pycompare.results.adjust import ADJUSTMENTS

Rng = np.random.Generator

HOSTILE = (
    "<script>alert(1)</script>",
    "=1+1",
    "a, b and c",
    'a "quoted" one',
    "it's",
    "$\\alpha_1$",
    "%s {0} &amp;",
    "left – right",
    "nan",
    "0.1",
    "-x",
    "决策树",
    "a name of a good many letters that no picture has room for",
)
METHODS = (*ADJUSTMENTS, *MEANS)
SIXTEENTH = 0.0625  # what an exact sign test of five can be: p on alpha itself
ALPHAS = (0.05, 0.05, 0.01, 0.1, 0.2, 0.03125, SIXTEENTH, 0.5, 0.9, 1e-9)
SPECIAL = ("rounded", "counts", "twin", "flat", "perfect", "column", "few")
SCALES = (1.0, 1.0, 1.0, 1.0, 1.0, 1e-9, 1e9, 1e-300, 1e300)


def pick(rng: Rng, options: Any) -> Any:
    """Return one of several, as it is."""
    options = tuple(options)
    return options[int(rng.integers(len(options)))]


def case(
    seed: int, scales: Sequence[float] = SCALES
) -> tuple[Callable[[], pc.Scores], Callable[[pc.Scores], pc.Plan]]:
    """Return what makes scores and what makes a plan for them; both may be refused."""
    rng = np.random.default_rng(seed)
    if seed % JUDGED_EVERY == JUDGED_EVERY - 1:
        return lambda: judged_scores(rng), lambda scores: random_plan(rng, scores)
    if seed % JUDGED_EVERY == JUDGED_EVERY // 2:
        return lambda: challenge_scores(rng), lambda scores: challenge_plan(rng, scores)
    return lambda: random_scores(rng, scales), lambda scores: random_plan(rng, scores)


# ---- scores -------------------------------------------------------------------------

JUDGED_EVERY = 30
"""How often people label some items, beside a judge; and how often cases are those of
a challenge."""


def challenge_scores(rng: Rng) -> pc.Scores:
    """Return scores of tasks, with failures or patients in some."""
    sizes, a = pick(rng, ((30,), (12, 25), (3, 9, 20))), pick(rng, (2, 3, 5))
    n = sum(sizes)
    x = rng.normal(size=(n, 1)) + rng.normal(size=(n, a)) - 0.2 * np.arange(a)
    x = np.rint(2 * x) if rng.random() < 0.4 else x
    failed = rng.random((n, a)) < pick(rng, (0.0, 0.0, 0.1))
    failed[failed.all(axis=1)] = False
    groups = np.repeat([f"t{k}" for k in range(len(sizes))], sizes).tolist()
    patients = [f"p{i // 2}" for i in range(n)] if rng.random() < 0.3 else None
    return pc.Scores(
        np.where(failed, np.nan, x)[:, :, None],
        blocks=tuple(f"c{i}" for i in range(n)),
        algorithms=tuple("ABCDE"[:a]),
        metrics=(pc.Metric("score", pick(rng, ("higher", "lower"))),),
        missing="model",
        groups=tuple(groups) if len(sizes) > 1 else None,
        clusters=None if patients is None else tuple(patients),
    )


def challenge_plan(rng: Rng, scores: pc.Scores) -> pc.Plan:
    """Return a plan of a ranking, which may be refused."""
    names = ("ranking", "aggregate", "tied_ranks", "alpha")
    given = {name: VALUES[name][1](rng, scores) for name in names}
    if scores.groups is not None:
        given["weights"] = pick(rng, get_args(WeightRule))
    return pc.Plan(**forgiving({"blocks": "cases"} | given, scores))


def judged_scores(rng: Rng) -> pc.Scores:
    """Return labels of people on some items, and a judge's scores of all."""
    n, a = int(rng.integers(30, 200)), pick(rng, (2, 3, 4))
    x = rng.normal(size=(n, 1)) + rng.normal(size=(n, a)) + 0.4 * np.arange(a)
    y = (x > 0).astype(float) if rng.random() < 0.7 else np.rint(2 * x)
    judge = np.where(rng.random((n, a)) < 0.8, y, y[::-1])
    kept = np.zeros(n, bool)
    kept[rng.choice(n, int(rng.integers(12, n - 1)), replace=False)] = True
    strata = rng.random() < 0.3
    return pc.Scores(
        values=np.where(kept[:, None], y, np.nan)[:, :, None],
        blocks=tuple(f"q{i}" for i in range(n)),
        algorithms=tuple("ABCD"[:a]),
        metrics=(pc.Metric("human", pick(rng, ("higher", "lower"))),),
        judge=judge,
        strata=tuple("uv"[k] for k in (x[:, 0] > 0).astype(int)) if strata else None,
    )


def random_scores(rng: Rng, scales: Sequence[float] = SCALES) -> pc.Scores:
    """Return scores of any shape, some of them with nothing to test."""
    owners = random_owners(rng)
    b = len(owners)
    a = pick(rng, (2, 2, 3, 3, 4, 4, 5, 8))
    metrics = random_metrics(rng)
    values = np.stack([random_column(rng, b, a, scales) for _ in metrics], axis=2)
    missing = "error"
    if rng.random() < 0.12:
        missing = "model"
        values[rng.random(values.shape) < pick(rng, (0.03, 0.1))] = np.nan
    named = [owner for owner in owners if owner is not None]
    more: dict[str, Any] = {}
    if rng.random() < 0.15:
        more["groups"] = random_groups(rng, owners)
    if missing == "error" and rng.random() < 0.1:
        runs = values[..., None] * (1 + 0.1 * rng.normal(size=(*values.shape, 2)))
        more |= {"runs": runs, "replicates": ("r1", "=r2")}
        if rng.random() < 0.4:
            runs[rng.random(values.shape) < 0.2, 1] = np.nan
        values = mean_of_runs(runs)
    return pc.Scores(
        values=values,
        blocks=tuple(
            f"b{i}" if owner is None else f"{owner}/{i}"
            for i, owner in enumerate(owners)
        ),
        algorithms=random_names(rng, a),
        metrics=metrics,
        datasets=tuple(named) or None,
        missing=missing,
        **more,
    )


def random_groups(rng: Rng, owners: list[str | None]) -> tuple[str, ...]:
    """Return the group of each block, that of its data set if there are some."""
    keys = [str(i) if owner is None else owner for i, owner in enumerate(owners)]
    of = {key: pick(rng, ("texts", "<b>images")) for key in dict.fromkeys(keys)}
    return tuple(of[key] for key in keys)


def random_owners(rng: Rng) -> list[str | None]:
    """Return the data set of each block: none, one, one each, or several with folds."""
    kind = pick(rng, ("none", "one", "one", "each", "folds", "uneven"))
    n = int(rng.integers(2, 16))
    if kind == "none":
        return [None] * n
    if kind == "one":
        return ["only"] * n
    if kind == "each":
        return [f"d{i}" for i in range(n)]
    count = int(rng.integers(2, 9))
    sizes = rng.integers(2, 6, size=count)
    if kind == "folds":
        sizes[:] = sizes[0]
    elif rng.random() < 0.2:
        sizes[0] = 1
    return [f"d{i}" for i, size in enumerate(sizes) for _ in range(size)]


def random_metrics(rng: Rng) -> tuple[pc.Metric, ...]:
    """Return one metric or several, sometimes the counts that costs need."""
    names = pick(
        rng,
        (
            ("error",),
            ("accuracy",),
            ("error",),
            ("f1, macro <b>",),
            ("error", "accuracy"),
            ("fp", "fn"),
            ("tp", "fp", "tn", "fn"),
            ("error", "m 2", "=m3"),
        ),
    )
    return tuple(pc.Metric(n, pick(rng, ("higher", "lower"))) for n in names)


def random_names(rng: Rng, a: int) -> tuple[str, ...]:
    """Return plain names, or such as have broken pages and formulas."""
    plain = [f"A{j + 1}" for j in range(a)]
    if rng.random() < 0.5:
        return tuple(plain)
    chosen = rng.permutation(len(HOSTILE))[:a]
    return tuple(HOSTILE[i] for i in chosen)


def random_column(rng: Rng, b: int, a: int, scales: Sequence[float]) -> np.ndarray:
    """Return the scores of one metric (b, a): winners, ties, or nothing to test."""
    level = rng.normal(size=(b, 1))
    noise = rng.normal(size=(b, a))
    effect = pick(rng, (0.0, 0.3, 1.0, 3.0)) * rng.permutation(a)
    kind = pick(rng, ("normal", "normal", "normal", *SPECIAL))
    if kind == "perfect":  # folds and algorithms add up, and no error is left
        noise = noise * 0
        level, effect = np.round(level), np.round(effect)
    x = level + effect + noise
    if kind == "rounded":
        x = np.round(x)
    elif kind == "counts":
        x = rng.binomial(30, 1 / (1 + np.exp(-x))).astype(float)
    elif kind == "twin":
        x[:, 1] = x[:, 0]
    elif kind == "flat":
        x[:] = 0.5
    elif kind == "column":
        x[:, 0] = 1.0
    elif kind == "few":  # alike but for one block
        x[1:] = x[1:, :1]
    return x * pick(rng, scales)


# ---- plans --------------------------------------------------------------------------


def random_adjust(rng: Rng, scores: pc.Scores) -> tuple[str, ...]:
    """Return one method or several."""
    return tuple(pick(rng, METHODS) for _ in range(int(rng.integers(1, 4))))


def random_blocks(rng: Rng, scores: pc.Scores) -> str:
    """Return a word that often fits the columns."""
    count = len(set(scores.datasets or ()))
    fits = {0: ("datasets", "folds"), 1: ("folds",), scores.n_blocks: ("datasets",)}
    every = ("by-columns", "datasets", "folds", "folds-of-datasets")
    likely = fits.get(count, ("folds-of-datasets",))
    return str(pick(rng, likely * 4 + every))


def random_quantity(rng: Rng, scores: pc.Scores) -> str | None:
    """Return what is compared over data sets, mostly where they are independent."""
    count = len(set(scores.datasets or ()))
    if count in (0, scores.n_blocks):
        return pick(rng, (None, "ranks", "ranks", "ranks", "means"))
    return pick(rng, (None, *get_args(Compares))) if count > 1 else None


def random_posterior(rng: Rng, scores: pc.Scores) -> str:
    """Return a name that often fits the columns."""
    count = len(set(scores.datasets or ()))
    likely = ("correlated-t",) if count == 1 else ("signed-rank", "sign")
    return str(pick(rng, likely * 5 + get_args(BayesMethod)))


def sizes(rng: Rng, scores: pc.Scores, known: tuple[float, ...]) -> Any:
    """Return one size, or one for each data set."""
    names = dict.fromkeys(scores.datasets or ())
    if not names or rng.random() < 0.7:
        return pick(rng, known)
    return {name: pick(rng, known) for name in names}


def margins(rng: Rng, scores: pc.Scores) -> Any:
    """Return one margin, or one for each of some metrics."""
    known = (0.5, 1e-12, 1e12)
    if len(scores.metrics) == 1 or rng.random() < 0.2:
        return pick(rng, known)
    return {m.name: pick(rng, known) for m in scores.metrics if rng.random() < 0.7}


def group_weights(rng: Rng, scores: pc.Scores) -> dict[str, float] | str:
    """Return a weight for each group, or for one that there is not, or a rule."""
    if rng.random() < 0.4:
        return pick(rng, get_args(WeightRule))
    names = scores.group_names or ("nobody",)
    return {name: pick(rng, (1, 0.25, 3e5)) for name in names}


STATED = ("as in the protocol", "<b>&\\{x}_%$#\n\u00e9")
VALUES: dict[str, tuple[float, Callable[[Rng, pc.Scores], Any]]] = {
    "alpha": (0.6, lambda rng, scores: pick(rng, ALPHAS)),
    "blocks": (0.7, random_blocks),
    "compares": (0.8, random_quantity),
    "assumes": (0.04, lambda rng, _: pick(rng, get_args(Assumes))),
    "replicates": (0.1, lambda rng, _: pick(rng, ("keep", "average"))),
    "runs": (0.05, lambda rng, _: pick(rng, ("samples", "prompts", "judges"))),
    "runs_scope": (0.05, lambda rng, _: pick(rng, ("fixed", "sampled"))),
    "ranking": (0.0, lambda rng, _: pick(rng, get_args(RankingScheme))),
    "aggregate": (0.0, lambda rng, _: pick(rng, ("mean", "mean", "median", 0.3))),
    "tied_ranks": (0.0, lambda rng, _: pick(rng, get_args(TiedRanks))),
    "items_scope": (0.03, lambda rng, _: pick(rng, ("sampled", "fixed"))),
    "answers": (0.03, lambda rng, _: pick(rng, ("drawn", "deterministic"))),
    "omnibus": (
        0.1,
        lambda rng, _: pick(rng, (*RANK_TESTS, *get_args(MeanTest))),
    ),
    "family": (0.25, lambda rng, _: pick(rng, ("metric", "all"))),
    "groups": (0.1, lambda rng, _: pick(rng, ("each", "each-and-all"))),
    "gate": (0.15, lambda rng, _: pick(rng, ("none", "omnibus", "omnibus"))),
    "control": (0.25, lambda rng, scores: pick(rng, (*scores.algorithms, "nobody"))),
    "adjust": (0.45, random_adjust),
    "metrics": (
        0.15,
        lambda rng, scores: tuple(m.name for m in scores.metrics if rng.random() < 0.7),
    ),
    "average_folds": (0.1, lambda rng, _: True),
    "protocol": (
        0.4,
        lambda rng, _: pick(rng, ("cross-validation", "resampling", "held-out")),
    ),
    "n_train": (0.15, lambda rng, scores: sizes(rng, scores, (9, 90.5, 1e-3))),
    "n_test": (0.15, lambda rng, scores: sizes(rng, scores, (1, 10, 1e6))),
    "n_folds": (0.05, lambda rng, scores: sizes(rng, scores, (2, 3, 10))),
    "margin": (0.15, lambda rng, scores: margins(rng, scores)),
    "hypothesis": (
        0.1,
        lambda rng, _: pick(rng, ("equivalence", "non-inferiority")),
    ),
    "margin_alpha": (0.1, lambda rng, _: pick(rng, (0.025, 0.3))),
    "range": (0.03, lambda rng, _: pick(rng, ((0, 1), (-1e4, 1e4)))),
    "together": (0.25, lambda rng, _: pick(rng, ("if-possible", "required", "no"))),
    "cost_ratio": (0.15, lambda rng, _: pick(rng, (1, 0.01, 100.0))),
    "loss": (
        0.08,
        lambda rng, _: pick(rng, (((0.0, 2.0), (1.0, 0.0)), ((-1, 1), (5, -1)))),
    ),
    "thresholds": (0.02, lambda rng, _: pick(rng, ((0.2, 0.5), 5))),
    "loss_ratios": (0.02, lambda rng, _: (0.5, 2.0)),
    "threshold_rule": (0.02, lambda rng, _: pick(rng, ("sign", "any"))),
    "thresholds_joined": (0.02, lambda rng, _: True),
    "threshold_adjust": (0.02, lambda rng, _: pick(rng, ("none", "holm"))),
    "undefined": (0.02, lambda rng, _: 0),
    "monotone": (0.06, lambda rng, _: True),
    "p_values": (0.15, lambda rng, _: pick(rng, ("by-size", "approximate", "exact"))),
    "overlap": (0.2, lambda rng, _: pick(rng, ("enlarged", 1))),
    "std_error": (0.08, lambda rng, _: pick(rng, ("permutation", "textbook"))),
    "decimals": (0.12, lambda rng, _: pick(rng, (0, 1, 3, -2))),
    "level": (0.1, lambda rng, _: pick(rng, (0.95, 0.5, 0.999))),
    "seed": (0.08, lambda rng, _: int(rng.integers(5))),
    "generalise": (0.02, lambda rng, _: pick(rng, ("both", "cases"))),
    "blind": (0.05, lambda rng, _: True),
    "fpr_range": (0.01, lambda rng, _: (0.0, 0.2)),
    "weights": (0.03, lambda rng, scores: group_weights(rng, scores)),
    "scale": (0.06, lambda rng, _: pick(rng, get_args(Scale))),
    **{name: (0.02, lambda rng, _: pick(rng, STATED)) for name in (*ESTIMAND, *MARGIN)},
    "bayes": (0.04, random_posterior),
    "rope": (0.01, lambda rng, scores: margins(rng, scores)),
    "prior": (0.01, lambda rng, _: pick(rng, (1, 0.1))),
    "draws": (0.01, lambda rng, _: pick(rng, (400, 1000))),
    "decide_at": (0.01, lambda rng, _: pick(rng, (0.95, 0.51))),
    "rope_loss": (0.01, lambda rng, _: ((0, 1, 2), (1, 0, 1), (2, 1, 0))),
    "run_aggregates": (0.03, lambda rng, _: pick(rng, ("as-measured", "normalised"))),
    "reference_low": (0.01, lambda rng, _: -1e6),
    "reference_high": (0.01, lambda rng, _: 1e6),
    "gamma": (0.01, lambda rng, _: pick(rng, (0.0, 1.0, -2.5))),
    "labels": (0.0, lambda _, scores: "strata" if scores.strata else "random"),
}
"""How often a key is given, and what it then says; every key of Plan must be here.

Those for predictions are refused with scores, and are only to be refused here.
"""

PAIRED = {
    "n_train": "n_test",
    "n_test": "n_train",
    "margin": "hypothesis",
}
"""Keys that are refused alone: where one is given, mostly the other one is too."""


def random_plan(rng: Rng, scores: pc.Scores) -> pc.Plan:
    """Return a plan in which any key may say anything, or let it be refused."""
    given = {}
    if scores.judge is not None:
        given["labels"] = VALUES["labels"][1](rng, scores)
    for name, (often, make) in VALUES.items():
        if often and rng.random() < often:
            given[name] = make(rng, scores)
    if scores.runs is not None and rng.random() < 0.9:  # these must be said
        given["replicates"] = VALUES["replicates"][1](rng, scores)
        if given.get("blocks") == "cases" and rng.random() < 0.9:
            given["runs"] = VALUES["runs"][1](rng, scores)
            if given["runs"] != "samples":
                given["runs_scope"] = VALUES["runs_scope"][1](rng, scores)
                given["replicates"] = "average"
    if scores.groups is not None and rng.random() < 0.9:
        given["family"] = VALUES["family"][1](rng, scores)
    for name, other in PAIRED.items():
        if name in given and other not in given and rng.random() < 0.9:
            given[other] = VALUES[other][1](rng, scores)
    if "bayes" in given:
        given["rope"] = margins(rng, scores)
        if rng.random() < 0.4:
            given["compares"] = "bayes"
        for name, often in (("prior", 0.2), ("draws", 0.9), ("decide_at", 0.6)):
            if rng.random() < often:
                given[name] = VALUES[name][1](rng, scores)
    if rng.random() < 0.85:
        given = forgiving(given, scores)
    return pc.Plan(**given)


def forgiving(given: dict[str, Any], scores: pc.Scores) -> dict[str, Any]:
    """Leave out keys until the plan is not refused: else few plans would be run."""
    while given:
        try:
            pc.Plan(**given).settled(scores)
        except pc.PlanError as error:
            bad = {key for problem in error.problems for key in problem.keys}
            droppable = [name for name in given if name in bad]
            if not droppable:
                break
            given = {k: v for k, v in given.items() if k != droppable[-1]}
        else:
            break
    return given
