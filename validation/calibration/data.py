"""What the rows of the calibration draw, and what they ask of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import integrate, special, stats

import pycompare as pc
from pycompare import sizes
from pycompare.base.metric import Metric
from pycompare.methods.curves.interval import AucIntervalMethod
from pycompare.results.result import Pairs

ADJUSTED = "smallest adjusted"
ENDS = ("low", "high")
LIMITS = ("conf_low", "conf_high")
SPREAD = (0.0, 0.3, 0.6, 1.2)
"""Means of algorithms that differ."""
ETA_MEANS = tuple(math.sqrt(0.3 / 0.7 * 18 / 10 / 2) * np.array([-1.0, 0.0, 1.0]))
"""Of three algorithms on ten blocks, whose partial eta squared is 0.3."""
AREA = float(stats.norm.cdf(0.5))
"""Under the ROC curve of ``ratings``."""
Generator = np.random.Generator
Draw = Callable[[Generator], Any]
Ask = Callable[[Any], Mapping[str, float]]


@dataclass(frozen=True)
class Row:
    """A test or an interval on one truth.

    Attributes
    ----------
    draw : callable
        Makes data in which the null hypothesis holds, or of which ``ask`` knows the
        truth.
    ask : callable
        Returns p-values by what they test, or whether intervals hold the truth.
    design : str
        The size of the data.
    kind : str
        ``uniform``: the p-value is uniform. ``exact``: no p-value may be too small more
        often than it says, and no interval may hold the truth less often than it says.
        ``approximate``: that holds for large samples; the page shows how far off it is
        with this one.
    level : float
        Of the interval.
    """

    draw: Draw
    ask: Ask
    design: str
    kind: str = "exact"
    level: float = 0.95


READERS = pc.RoeMetz(
    separation=(1.5, 1.5),
    reader=0.0055,
    modality_reader=0.0055,
    case=0.3,
    modality_case=0.3,
    reader_case=0.2,
    error=0.2,
)
"""Structure HH of Roe and Metz (1997), two modalities alike."""
UNLIKE = dataclasses.replace(READERS, modality_reader=0.1)
"""The same with readers who differ much from one modality to the other."""
LOWER = dataclasses.replace(READERS, separation=(0.9, 0.9))
"""The same with AUCs of 0.74."""
WEIGHTS = {"0": 0.5, "1": 0.3, "2": 0.2}
"""Of three benchmarks."""
EQUAL = {"0": 1.0, "1": 1.0, "2": 1.0}
OPPOSED = (0.22, 0.02, 0.02)
"""Error rates of an algorithm on three benchmarks."""
OPPOSED_MEAN = 1 - sum(OPPOSED) / 3
"""Its accuracy, equally weighted."""

# ---- data ---------------------------------------------------------------------------


def scores_of(x: np.ndarray, **more: Any) -> pc.Scores:
    """Return scores of an array, blocks x algorithms x metrics."""
    n, a, m = x.shape
    return pc.Scores(
        values=x,
        blocks=tuple(map(str, range(n))),
        algorithms=tuple("ABCDEF"[:a]),
        metrics=tuple(Metric(f"m{k}", "higher") for k in range(m)),
        **more,
    )


def blocks(n: int, a: int, metrics: int = 1) -> Draw:
    """Draw normal scores that share an effect of the block."""
    return lambda rng: scores_of(
        rng.normal(size=(n, 1, metrics)) + rng.normal(size=(n, a, metrics))
    )


def triples(times: int, a: int) -> Draw:
    """Draw normal scores of all triples of algorithms, each in some blocks."""
    own = np.array(list(combinations(range(a), 3)) * times)

    def draw(rng: Generator) -> pc.Scores:
        x = rng.normal(size=(len(own), 1)) + rng.normal(size=(len(own), a))
        kept = np.full(x.shape, np.nan)
        np.put_along_axis(kept, own, np.take_along_axis(x, own, 1), 1)
        return scores_of(kept[:, :, None], missing="model")

    return draw


def shifted(n: int, means: Sequence[float], metrics: int = 1) -> Draw:
    """Draw normal scores of algorithms with these means in every metric."""
    null = blocks(n, len(means), metrics)

    def draw(rng: Generator) -> pc.Scores:
        scores = null(rng)
        return scores_of(scores.values + np.asarray(means)[None, :, None])

    return draw


def families(n: int, size: int, a: int) -> Draw:
    """Draw data sets of n families, each of which has an effect on each algorithm."""

    def draw(rng: Generator) -> pc.Scores:
        owner = np.repeat(np.arange(n), size)
        x = rng.normal(size=(n, a, 1))[owner] + rng.normal(size=(n * size, a, 1))
        return scores_of(x, clusters=tuple(map(str, owner.tolist())))

    return draw


def answers(n: int, a: int, cluster: int = 0, benchmarks: int = 0) -> Draw:
    """Draw right and wrong answers to items; ``cluster``: items of a cluster.

    ``benchmarks``: in how many groups of equal size the items are.
    """

    def draw(rng: Generator) -> pc.Scores:
        x = rng.normal(size=(n, 1, 1)) + rng.normal(size=(n, a, 1))
        owner = np.arange(n) // (cluster or 1)
        if cluster:
            x = x + 0.7 * rng.normal(size=(n // cluster, a, 1))[owner]
        clusters = tuple(map(str, owner.tolist())) if cluster else None
        part = np.arange(n) * benchmarks // n
        groups = tuple(map(str, part.tolist())) if benchmarks else None
        return scores_of((x > 0).astype(float), clusters=clusters, groups=groups)

    return draw


def judged_answers(n: int, labelled: int, a: int) -> Draw:
    """Draw answers to n items; a judge is right four times of five, people know."""

    def draw(rng: Generator) -> pc.Scores:
        x = rng.normal(size=(n, 1)) + rng.normal(size=(n, a)) + 1.0
        right = (x > 0).astype(float)
        judge = np.where(rng.random((n, a)) < 0.8, right, 1 - right)
        kept = np.zeros(n, bool)
        kept[rng.choice(n, labelled, replace=False)] = True
        return pc.Scores(
            values=np.where(kept[:, None], right, np.nan)[:, :, None],
            blocks=tuple(f"q{i}" for i in range(n)),
            algorithms=tuple("ABCDEFGH"[:a]),
            metrics=(pc.Metric("human", "higher"),),
            judge=judge,
        )

    return draw


def worse_answers(n: int, margin: float, runs: int = 0) -> Draw:
    """Draw answers of three algorithms, of which A is better by a margin.

    With ``runs`` each item is answered so often, harder items by all less often right.
    """

    def draw(rng: Generator) -> pc.Scores:
        if runs:
            chance = rng.uniform(0.2, 0.9, (n, 1)) - [0.0, margin, margin]
            x = (rng.random((n, 3, 1, runs)) < chance[:, :, None, None]).astype(float)
            names = tuple(map(str, range(runs)))
            return scores_of(x.mean(axis=-1), runs=x, replicates=names)
        right, lost, won = 0.75, margin + 0.03, 0.03
        best = rng.random((n, 1)) < right
        stays = rng.random((n, 2)) < np.where(best, 1 - lost / right, won / (1 - right))
        return scores_of(np.hstack([best, stays])[:, :, None].astype(float))

    return draw


def opposed(*sizes: int) -> Draw:
    """Draw answers of two algorithms that differ on two of three benchmarks.

    Only their equally weighted means are equal: each is worse on one benchmark, in 20%
    of its cases.
    """
    owner = np.repeat(np.arange(3), sizes)
    first, second = (
        np.array(OPPOSED)[owner],
        np.array([0.02, 0.22, 0.02])[owner],
    )

    def draw(rng: Generator) -> pc.Scores:
        u = rng.random(len(owner))
        wrong = np.stack([u < first, u > 1 - second], axis=-1)
        groups = tuple(map(str, owner.tolist()))
        return scores_of((~wrong).astype(float)[..., None], groups=groups)

    return draw


def replicated(
    n: int,
    a: int,
    times: int,
    interaction: float = 0.0,
    sizes: tuple[int, ...] = (),
) -> Draw:
    """Draw several scores a cell.

    ``interaction`` is the standard deviation of blocks times algorithms, ``sizes`` are
    those of the clusters of blocks.
    """
    owner = tuple(map(str, np.repeat(np.arange(len(sizes)), sizes).tolist()))

    def draw(rng: Generator) -> pc.Scores:
        base = rng.normal(size=(n, 1, 1, 1)) + rng.normal(size=(n, a, 1, times))
        if interaction:
            base = base + interaction * rng.normal(size=(n, a, 1, 1))
        names = tuple(f"r{k}" for k in range(times))
        more = {"clusters": owner} if sizes else {}
        return scores_of(base.mean(axis=-1), runs=base, replicates=names, **more)

    return draw


def of_datasets(sets: int, n: int, a: int) -> Draw:
    """Draw several blocks a data set."""

    def draw(rng: Generator) -> pc.Scores:
        x = rng.normal(size=(sets * n, 1, 1)) + rng.normal(size=(sets * n, a, 1))
        owner = tuple(f"d{i // n}" for i in range(sets * n))
        return scores_of(x, datasets=owner)

    return draw


def ratings(
    n: int, curves: int, negative: int = 0, areas: Sequence[float] = ()
) -> Draw:
    """Draw binormal scores of n positive cases, and as many negative ones.

    ``negative``: their number, if it is another; ``areas``: the AUC of each curve, if
    it is not ``AREA``.
    """
    label = np.repeat([1, 0], [n, negative or n])
    apart = 2 * stats.norm.ppf(areas) if len(areas) else np.ones(curves)

    def draw(rng: Generator) -> tuple[np.ndarray, pd.DataFrame]:
        common = rng.normal(size=(len(label), 1)) + label[:, None] * apart
        x = common + rng.normal(size=(len(label), curves))
        return label, pd.DataFrame(x, columns=list("ABCDEF"[:curves]))

    return draw


def readers(
    n: int, several: int = 5, model: pc.RoeMetz = READERS, negative: int = 0
) -> Draw:
    """Draw ratings of two modalities by some readers in Roe and Metz's model."""

    def draw(rng: Generator) -> pc.Ratings:
        return model.draw(
            n_readers=several,
            n_positive=n,
            n_negative=negative or n,
            seed=seed_of(rng),
        )

    return draw


def battled(n: int, models: int) -> Draw:
    """Draw battles of equal models, a quarter of them ties."""

    def draw(rng: Generator) -> pc.Battles:
        first = rng.integers(0, models, n)
        return pc.Battles(
            models=tuple("ABCDEFGH"[:models]),
            first=first,
            second=(first + rng.integers(1, models, n)) % models,
            outcome=rng.choice([1.0, 0.5, 0.5, 0.0, 1.0, 0.0, 1.0, 0.0], n),
        )

    return draw


def rated(n: int) -> Draw:
    """Draw right and wrong answers of two modalities, read by five readers."""

    def draw(rng: Generator) -> pc.Ratings:
        x = rng.normal(size=(1, 1, n)) + 0.5 * rng.normal(size=(1, 5, 1))
        right = x + rng.normal(size=(2, 5, n)) > 0
        at = np.array(list(np.ndindex(right.shape)))
        frame = pd.DataFrame(at.astype(str), columns=["modality", "reader", "case"])
        return pc.Ratings.from_frame(
            frame.assign(rating=right.ravel().astype(float)),
            modality="modality",
            reader="reader",
            case="case",
            rating="rating",
        )

    return draw


def folds(n: int, cases: int) -> Draw:
    """Draw predictions of two fixed models on independent folds, half positive."""
    at = np.tile(np.arange(n * cases), 2)
    about = {"algorithm": np.repeat(["A", "B"], n * cases), "fold": at // cases}
    label = at % 2

    def draw(rng: Generator) -> pc.Predictions:
        score = rng.normal(size=2 * n * cases) + label
        return pc.Predictions.from_frame(
            pd.DataFrame({**about, "label": label, "score": score}),
            positive=1,
            algorithm="algorithm",
            block="fold",
            label="label",
            score="score",
        )

    return draw


def rows_of(
    a: int, n: int, responses: int = 1, means: Sequence[float] | None = None
) -> Draw:
    """Draw a table for a model: learners on the same data sets."""
    effect = np.zeros(a) if means is None else np.asarray(means)
    at = np.indices((n, a)).reshape(2, -1).astype(str)
    about = {"data": np.char.add("d", at[0]), "learner": np.char.add("l", at[1])}

    def draw(rng: Generator) -> pd.DataFrame:
        y = rng.normal(size=(n, 1, responses)) + rng.normal(size=(n, a, responses))
        y = y + effect[:, None]
        columns = y.reshape(n * a, responses).T
        return pd.DataFrame(about | {f"y{k}": x for k, x in enumerate(columns)})

    return draw


def seed_of(rng: Generator) -> int:
    """Draw a seed."""
    return int(rng.integers(2**31 - 1))


# ---- what is asked ------------------------------------------------------------------


def of_test(call: Callable[..., Any], **options: Any) -> Ask:
    """Return the p-value of one test."""
    return lambda data: {"p-value": float(call(data, **options).p_value)}


def of_two(call: Callable[..., Any], **options: Any) -> Ask:
    """Return the p-value of a test of two algorithms."""
    return of_test(call, algorithms=("A", "B"), **options)


def of_pairs(call: Callable[..., Any], **options: Any) -> Ask:
    """Return the p-value of the first pair, and the smallest adjusted one of all."""

    def ask(data: Any) -> dict[str, float]:
        found: Pairs = call(data, **options)
        return {
            "first pair": float(found.table["p_value"].iloc[0]),
            ADJUSTED: float(found.table["p_adjusted"].min()),
        }

    return ask


def of_curves(call: Callable[..., Any], **options: Any) -> Ask:
    """Return p-values of tests of curves."""
    return of_pairs(lambda data: call(*data, positive=1, **options))


def of_two_curves(call: Callable[..., Any], **options: Any) -> Ask:
    """Return the p-value of a test of two curves."""
    return of_test(lambda data: call(*data, positive=1, **options))


def all_hold(call: Callable[..., Any], truth: float = 0.0) -> Ask:
    """Tell whether all intervals of a table hold the truth at once."""
    return lambda data: {"interval": float(held(call(data), truth).all())}


def first_holds(call: Callable[..., Any], truth: float) -> Ask:
    """Tell whether the interval in the first row holds the truth."""
    return lambda data: {"interval": float(held(call(data), truth).iloc[0])}


def curves_hold(call: Callable[..., Any], truth: float) -> Ask:
    """Tell whether the interval of the first two curves holds the truth."""
    return first_holds(lambda data: call(*data, positive=1, level=0.95), truth)


def held(found: Any, truth: float) -> pd.Series:
    """Tell which intervals of a result hold the truth."""
    table = found if isinstance(found, pd.DataFrame) else found.to_frame()
    return (table["conf_low"] <= truth) & (table["conf_high"] >= truth)


def of_first_two(call: Callable[..., Any], scores: pc.Scores) -> Any:
    """Return a test of the first two algorithms."""
    return call(scores, algorithms=("A", "B"))


def holds(
    call: Callable[..., Any], truth: float, named: tuple[str, str] = LIMITS
) -> Ask:
    """Tell whether the one interval of a result holds the truth; NaN does not."""
    low, high = named
    return lambda data: {"interval": contains(call(data), truth, low, high)}


def contains(found: Any, truth: float, low: str, high: str) -> float:
    """Return 1 if the truth is within two attributes, else 0."""
    return float(getattr(found, low) <= truth <= getattr(found, high))


def of_auc(method: AucIntervalMethod, **options: Any) -> Ask:
    """Tell whether an interval of one AUC holds it: Phi(1 / 2) for ``ratings``."""
    return holds(
        lambda data: pc.auc_interval(
            data[0], data[1]["A"], positive=1, method=method, **options
        ),
        AREA,
    )


def partial_area(high: float) -> float:
    """Return the area below the ROC curve of ``ratings`` up to a rate."""
    return integrate.quad(
        lambda fpr: stats.norm.cdf(math.sqrt(0.5) + stats.norm.ppf(fpr)), 0, high
    )[0]


def mean_ranks(means: Sequence[float]) -> np.ndarray:
    """Return the expected ranks of ``shifted``; the highest score has rank 1."""
    x = np.asarray(means)
    return 0.5 + stats.norm.cdf((x[None, :] - x[:, None]) / math.sqrt(2)).sum(axis=1)


def concordance(means: Sequence[float], n: int) -> float:
    """Return the Kendall's W of n blocks of ``shifted`` that correlate as these do."""
    correlation = 12 * np.var(mean_ranks(means)) / (len(means) ** 2 - 1)
    return float((1 + (n - 1) * correlation) / n)


def next_rank(scores: pc.Scores) -> dict[str, float]:
    """Predict the rank of the first algorithm in the last block from all others."""
    past = pc.rank_prediction(scores_of(scores.values[:-1]))
    x = scores.values[-1, :, 0]
    found = past.table.set_index("algorithm").loc["A"]
    rank = 1 + np.sum(x > x[0])
    return {"interval": float(found.predicted_low <= rank <= found.predicted_high)}


def ranks_held(first: Sequence[int], last: Sequence[int]) -> Ask:
    """Tell whether the sets of all ranks hold the true ones; equal ones share some."""

    def ask(scores: pc.Scores) -> dict[str, float]:
        sets = pc.rank_sets(pc.tukey(scores)).table.set_index("algorithm")
        low, high = (sets.loc[list(scores.algorithms), f"rank_{e}"] for e in ENDS)
        return {"interval": float(((low <= first) & (last <= high)).all())}

    return ask


def on_one_dataset(scores: pc.Scores) -> dict[str, float]:
    """Return the p-values of the first data set of a table of wins."""
    table = pc.wins(scores, method="paired-t", adjust="holm", omnibus=False).decisions
    first = table[table["dataset"] == "d0"]
    return {
        "first pair": float(first["p_value"].iloc[0]),
        ADJUSTED: float(first["p_adjusted"].min()),
    }


def of_term(formula: str, **options: Any) -> Ask:
    """Return the p-value of the learners in a linear model."""
    return lambda frame: {"p-value": of_learners(frame, formula, **options).p_value}


def of_learners(frame: pd.DataFrame, formula: str, **options: Any) -> Any:
    """Return the line of the learners in an analysis of variance."""
    table = pc.linear_model(frame, formula, **options).anova
    return next(table[table["term"] == "learner"].itertuples())


def wilks_of(frame: pd.DataFrame) -> dict[str, float]:
    """Return the p-value of Wilks' test of the learners, two responses."""
    found = pc.linear_model(frame, "cbind(y0, y1) ~ data + learner")
    return {"p-value": float(found.manova_of("learner").table["p_value"].iloc[0])}


def blocked_model(frame: pd.DataFrame) -> Any:
    """Return the model of learners on the same data sets."""
    return pc.linear_model(frame, "y0 ~ data + learner")


def permuted_p(frame: pd.DataFrame) -> dict[str, float]:
    """Return the p-value of permuted residuals."""
    model = blocked_model(frame)
    found = model.permutation_test("learner", permutations=199, seed=1)
    return {"p-value": float(found.table["p_value"].iloc[0])}


def skewed_runs(n: int, a: int, times: int) -> Draw:
    """Draw several scores a cell, of which exponential noise is the only variance."""

    def draw(rng: Generator) -> pc.Scores:
        x = rng.exponential(size=(n, a, 1, times))
        names = tuple(f"r{k}" for k in range(times))
        return scores_of(x.mean(axis=-1), runs=x, replicates=names)

    return draw


_EASE, _SPREAD_OF_ITEMS, _OWN = 3.0, 2.0, 0.7
"""Logits of right answers: mean, standard deviations of items, of models on items."""


def right_runs(n: int, a: int, times: int) -> Draw:
    """Draw several right or wrong answers to each item, most of them right."""

    def draw(rng: Generator) -> pc.Scores:
        level = rng.normal(_EASE, _SPREAD_OF_ITEMS, (n, 1, 1, 1))
        own = _OWN * rng.normal(size=(n, a, 1, 1))
        chance = special.expit(level + own)
        x = (rng.random((n, a, 1, times)) < chance).astype(float)
        names = tuple(f"r{k}" for k in range(times))
        return scores_of(x.mean(axis=-1), runs=x, replicates=names)

    return draw


def right_runs_variance() -> float:
    """Return the expected variance of the answers of a model to one item."""
    spread = math.hypot(_SPREAD_OF_ITEMS, _OWN)

    def of(z: float) -> float:
        p = special.expit(_EASE + spread * z)
        return float(p * (1 - p) * stats.norm.pdf(z))

    return float(integrate.quad(of, -9, 9)[0])


def component(
    name: str, truth: float, call: Callable[..., Any] = pc.replicated_anova
) -> Ask:
    """Tell whether the interval of a component of variance holds it."""

    def ask(scores: pc.Scores) -> dict[str, float]:
        table = call(scores).components
        at = table[table["component"] == name]
        return {"interval": float(held(at, truth).all())}

    return ask


def checks(call: Callable[..., Any], *names: str) -> Ask:
    """Return the p-values of several checks of residuals."""

    def ask(scores: pc.Scores) -> dict[str, float]:
        found = call(scores)
        return {name: float(getattr(found, name).p_value) for name in names}

    return ask


def power_held(seed: int) -> dict[str, float]:
    """Tell whether the interval of simulated power holds that of the formula."""
    design = sizes.PairedT(difference=0.5, sd=1.0)
    table = pc.power(design, n=20, trials=200, seed=seed).table
    return {"interval": float(held(table, table["power_formula"].iloc[0]).all())}


def won(sets: int, a: int) -> Draw:
    """Draw how often each algorithm is before each other in random orders."""

    def draw(rng: Generator) -> np.ndarray:
        places = rng.permuted(np.tile(np.arange(a), (sets, 1)), axis=1)
        return np.sum(places[:, :, None] < places[:, None, :], axis=0)

    return draw


def unpaired(data: Any) -> Any:
    """Compare two independent halves of the cases by their AUCs."""
    label, x = data
    half = np.arange(len(label)) % 2 == 0
    one, two = x["A"].to_numpy(), x["B"].to_numpy()
    return pc.delong_unpaired(
        label[half], one[half], label[~half], two[~half], positive=1
    )


def five_by_two(rng: Generator) -> np.ndarray:
    """Draw differences of five repeats of two folds."""
    return rng.normal(size=(5, 2))
