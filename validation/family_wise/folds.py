"""Methods for folds, several data sets, several metrics, learners and cases.

As in ``methods``: signs (runs, pairs) of what is found. Data are arrays with runs as
the first axis, as ``designs`` makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from scipy import special

import pycompare as pc
from pycompare.base.typing import Bools, Floats
from pycompare.kernels import hotelling, manova, placements, studentized_range
from pycompare.methods.pairs.overlap import PUBLISHED

from . import batch
from .designs import OVERLAP, TEST, THRESHOLDS, TRAIN
from .methods import (
    ALPHA,
    FEWER,
    Adjust,
    Method,
    Signs,
    by_bergmann_hommel,
    by_holm,
    by_hommel,
    dunnett,
    dunnett_quantile,
    plain,
    pooled_p,
    signed,
    tukey,
)
from .tables import Tables, family
from .truths import (
    AUC,
    BETWEEN,
    CROSSED,
    INTERACTION,
    MARGIN,
    MEAN,
    MEAN_RANK,
    VECTOR,
    WINS,
)

Decide = Callable[[Tables], Signs]

# ---- one data set, tables -----------------------------------------------------------


def tables(decide: Decide, data: Floats) -> Signs:
    """Decide on tables (runs, n, a)."""
    return decide(Tables(data))


def control_tables(decide: Decide, data: Floats) -> Signs:
    """Decide on tables (runs, n, a), each algorithm with the last."""
    return decide(Tables(data, control=True))


def data_set_means(decide: Decide, data: Floats) -> Signs:
    """Decide on the means of data sets (runs, sets, k, a)."""
    return decide(Tables(data.mean(axis=2)))


Term = Callable[[int], float]
"""Returns the overlap term c of so many folds."""


def independent(n: int) -> float:
    """Return the overlap term of folds that share no training data."""
    return 0.0


def published(n: int) -> float:
    """Return the overlap term of Nadeau and Bengio."""
    return PUBLISHED


@lru_cache(maxsize=16)
def enlarged(n: int) -> float:
    """Return the overlap term that plans take by default."""
    whole = n % (TRAIN + TEST) == 0
    plan = (
        pc.Plan(blocks="folds", protocol="cross-validation", n_folds=TRAIN + TEST)
        if whole
        else pc.Plan(blocks="folds", n_train=TRAIN, n_test=TEST)
    )
    return plan.correction(n)["overlap"]


def corrected(adjust: Adjust, term: Term, t: Tables) -> Signs:
    """Decide by t tests corrected for folds that overlap."""
    return signed(adjust(t.p_paired_t(OVERLAP * term(t.n)), t.a), t.mean)


def paired(adjust: Adjust, t: Tables) -> Signs:
    """Decide by paired t tests."""
    return signed(adjust(t.p_paired_t(), t.a), t.mean)


def pooled(adjust: Adjust, t: Tables) -> Signs:
    """Decide by t tests with the error of the model."""
    return signed(adjust(pooled_p(t), t.a), t.mean)


def wilcoxon(t: Tables) -> Signs:
    """Decide by exact signed-rank tests, not adjusted."""
    return signed(t.p_wilcoxon <= ALPHA, t.signed_rank)


def two_signs(t: Tables) -> Signs:
    """Decide by exact sign tests, not adjusted."""
    return signed(t.p_sign <= ALPHA, t.wins)


def rank_z(t: Tables) -> Signs:
    """Decide by z of mean ranks and Bergmann-Hommel."""
    return signed(by_bergmann_hommel(t.p_rank_normal, t.a), t.rank_sums)


def anova_first(decide: Decide, t: Tables) -> Signs:
    """Decide where the analysis of variance rejects."""
    p = special.fdtrc(t.a - 1, t.df_error, t.anova_f)
    return np.where((p <= ALPHA)[:, None], decide(t), 0).astype(np.int8)


def corrected_anova(t: Tables) -> Signs:
    """Test equal means of all algorithms on folds that overlap."""
    f = t.anova_f / (1 + t.n * OVERLAP)
    p = special.fdtrc(t.a - 1, t.df_error, f)
    return (p <= ALPHA)[:, None].astype(np.int8)


def alike_within(margin: float, overlap: Term, t: Tables) -> Signs:
    """Claim equivalence by two one-sided t tests of each pair, Holm."""
    error = np.sqrt((1 / t.n + overlap(t.n) * OVERLAP) * t.variance)
    low = special.stdtr(t.n - 1, -(t.mean + margin) / error)
    high = special.stdtr(t.n - 1, (t.mean - margin) / error)
    return by_holm(np.maximum(low, high), t.a).astype(np.int8)


def not_worse(margin: float, overlap: Term, t: Tables) -> Signs:
    """Claim non-inferiority to the control by one-sided t tests, Holm."""
    error = np.sqrt((1 / t.n + overlap(t.n) * OVERLAP) * t.variance)
    p = special.stdtr(t.n - 1, -(t.mean + margin) / error)
    return by_holm(p, t.a).astype(np.int8)


# ---- folds of several data sets -----------------------------------------------------


def one_model(overlap: float, data: Floats) -> Signs:
    """Decide by Tukey's tests of one model of all folds, variance times 1 + k rho."""
    k = data.shape[2]
    t = Tables(data.reshape(len(data), -1, data.shape[3]))
    q = float(studentized_range.isf(ALPHA, t.a, t.df_error))
    size = np.abs(t.pooled_t) * np.sqrt(2 / (1 + k * overlap))
    return signed(size >= q, t.mean)


def one_model_control(overlap: float, data: Floats) -> Signs:
    """Decide by Dunnett's tests of one model of all folds, corrected the same way."""
    k = data.shape[2]
    t = Tables(data.reshape(len(data), -1, data.shape[3]), control=True)
    limit = dunnett_quantile(t.a - 1, t.df_error) * np.sqrt(1 + k * overlap)
    return signed(np.abs(t.pooled_t) >= limit, t.mean)


def one_model_t(overlap: float, adjust: Adjust, control: bool, data: Floats) -> Signs:
    """Decide by adjusted t tests of one model of all folds, corrected likewise."""
    k = data.shape[2]
    t = Tables(data.reshape(len(data), -1, data.shape[3]), control=control)
    size = np.abs(t.pooled_t) / np.sqrt(1 + k * overlap)
    return signed(adjust(2 * special.stdtr(t.df_error, -size), t.a), t.mean)


def interaction(overlap: float, data: Floats) -> Signs:
    """Test that differences between algorithms are the same on all data sets."""
    _, sets, k, a = data.shape
    centred = data - data.mean(axis=3, keepdims=True)
    means = centred.mean(axis=2)
    between = k * np.square(means - means.mean(axis=1, keepdims=True)).sum(axis=(1, 2))
    within = np.square(centred - means[:, :, None]).sum(axis=(1, 2, 3))
    df = (sets - 1) * (a - 1), sets * (k - 1) * (a - 1)
    f = between / df[0] / (within / df[1]) / (1 + k * overlap)
    return (special.fdtrc(*df, f) <= ALPHA)[:, None].astype(np.int8)


def sign_grid(won: Floats, lost: Floats, sets: int) -> Signs:
    """Test wins over data sets, ties split and an odd one dropped, Holm."""
    each = (sets - won - lost) // 2
    above, below = won + each, lost + each
    p = np.ones(won.shape)
    for used in np.unique(above + below):
        at = above + below == used
        p[at] = batch.sign_p(int(used))[above[at].astype(int)]
    return signed(batch.holm(p, ALPHA), won - lost)


def dunnett_wins(data: Floats) -> Signs:
    """Count wins by Dunnett's tests on each data set; test their signs."""
    runs, sets, k, a = data.shape
    t = Tables(data.reshape(-1, k, a), control=True)
    found = dunnett(t).reshape(runs, sets, -1)
    return sign_grid((found > 0).sum(axis=1), (found < 0).sum(axis=1), sets)


def corrected_control_wins(term: Term, data: Floats) -> Signs:
    """Count wins by corrected t tests beside a control, Holm; test their signs."""
    runs, sets, k, a = data.shape
    t = Tables(data.reshape(-1, k, a), control=True)
    found = corrected(by_holm, term, t).reshape(runs, sets, -1)
    return sign_grid((found > 0).sum(axis=1), (found < 0).sum(axis=1), sets)


def tukey_wins(data: Floats) -> Signs:
    """Count wins by Tukey's tests on each data set; test their signs."""
    runs, sets, k, a = data.shape
    found = tukey(Tables(data.reshape(-1, k, a))).reshape(runs, sets, -1)
    return sign_grid((found > 0).sum(axis=1), (found < 0).sum(axis=1), sets)


def corrected_wins(term: Term, data: Floats) -> Signs:
    """Count wins by corrected t tests and Holm on each data set; test their signs."""
    runs, sets, k, a = data.shape
    found = corrected(by_holm, term, Tables(data.reshape(-1, k, a)))
    found = found.reshape(runs, sets, -1)
    return sign_grid((found > 0).sum(axis=1), (found < 0).sum(axis=1), sets)


# ---- data sets of two kinds ---------------------------------------------------------


def strata(term: str, data: Floats) -> Signs:
    """Test a term of a balanced model with data sets as strata.

    ``data`` (runs, kinds, sets, a): the kind of a data set is tested against data sets
    of one kind, algorithms and their interaction with the kind within data sets.
    """
    _, kinds, sets, a = data.shape
    level = data.mean(axis=3, keepdims=True)
    own = data - level
    if term == "between":
        kind = level.mean(axis=2, keepdims=True)
        rest, left, each = level - kind, kinds * (sets - 1), a
        effect, size, df = kind - kind.mean(axis=1, keepdims=True), sets * a, kinds - 1
    else:
        cells = own.mean(axis=2, keepdims=True)
        rest, left, each = own - cells, kinds * (sets - 1) * (a - 1), 1
        effect, size, df = cells.mean(axis=1, keepdims=True), kinds * sets, a - 1
        if term == "crossed":
            effect, size, df = cells - effect, sets, (kinds - 1) * (a - 1)
    top = size * np.square(effect).sum(axis=(1, 2, 3)) / df
    bottom = each * np.square(rest).sum(axis=(1, 2, 3)) / left
    p = special.fdtrc(df, left, top / bottom)
    return (p <= ALPHA)[:, None].astype(np.int8)


# ---- several metrics ----------------------------------------------------------------


def vectors(adjust: Adjust, data: Floats) -> Signs:
    """Decide by paired T2 of mean vectors (runs, n, a, p)."""
    p = hotelling.hotelling(data).p_value
    return adjust(p, data.shape[2]).astype(np.int8)


def wilks(data: Floats) -> Signs:
    """Test equal mean vectors of all algorithms, (runs, n, a, p)."""
    return (wilks_p(data) <= ALPHA)[:, None].astype(np.int8)


def wilks_p(data: Floats) -> Floats:
    """Return p-values of Wilks' Lambda, Rao's F, of tables (batch, b, a, p)."""
    roots, df_hypothesis, df_error = manova.complete_roots(data, blocked=True)
    found = manova.tests(roots.eigenvalues, roots.rank, df_hypothesis, df_error)
    return np.asarray(found["wilks"].p_value)


def outcomes(data: Floats, adjust: Adjust, weights: Floats, first: bool) -> Signs:
    """Return who wins by risk in tables (batch, k, a, p), mean vectors differing."""
    a = data.shape[2]
    p = hotelling.hotelling(data).p_value
    rejected = adjust(p, a)
    if first:
        rejected &= (wilks_p(data) <= ALPHA)[:, None]
    risk = (data.mean(axis=1) * weights).sum(axis=-1)
    one, two = family(a, False)
    return signed(rejected, risk[:, two] - risk[:, one])


def bonferroni(p: Floats, a: int) -> Bools:
    """Decide by Bonferroni; NaN counts as 1."""
    return np.asarray(np.nan_to_num(p, nan=1.0) * p.shape[-1] <= ALPHA)


def risk_wins(data: Floats) -> Signs:
    """Count wins by total risk (runs, sets, k, a, counts); test their signs."""
    runs, sets, k, a, p = data.shape
    cost = np.array([0.0, 1.0, 0.0, 1.0])
    found = outcomes(data.reshape(-1, k, a, p), by_bergmann_hommel, cost, False)
    found = found.reshape(runs, sets, -1)
    return sign_grid((found > 0).sum(axis=1), (found < 0).sum(axis=1), sets)


def threshold_wins(rule: str, thresholds: tuple[float, ...], data: Floats) -> Signs:
    """Count wins over thresholds (runs, sets, t, k, a, counts); test their signs."""
    runs, sets, t, k, a, p = data.shape
    cost = np.array([[0.0, x, 0.0, 1 - x] for x in thresholds])
    weights = np.tile(cost, (runs * sets, 1))[:, None]
    found = outcomes(data.reshape(-1, k, a, p), bonferroni, weights, True)
    found = found.reshape(runs, sets, t, -1)
    won, lost = (found > 0).sum(axis=2), (found < 0).sum(axis=2)
    if rule == "any":
        better, worse = (won > 0) & (lost == 0), (lost > 0) & (won == 0)
    else:
        each = (t - won - lost) // 2
        n, above, below = won + lost + 2 * each, won + each, lost + each
        better = special.bdtr(below, n, 0.5) <= ALPHA
        worse = special.bdtr(above, n, 0.5) <= ALPHA
    return sign_grid(better.sum(axis=1), worse.sum(axis=1), sets)


# ---- cases --------------------------------------------------------------------------


def delong(adjust: Adjust, data: tuple[Floats, Bools]) -> Signs:
    """Decide by DeLong's z of pairs of AUCs."""
    score, truth = data
    found = placements.delong(truth, score)
    one, two = family(score.shape[1], False)
    c = found.covariance
    variance = c[:, one, one] + c[:, two, two] - 2 * c[:, one, two]
    difference = found.area[:, one] - found.area[:, two]
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * special.ndtr(-np.abs(difference) / np.sqrt(variance))
    return signed(adjust(p, score.shape[1]), difference)


# ---- the methods --------------------------------------------------------------------


def of_tables(key: str, title: str, decide: Decide, hypothesis: str = MEAN) -> Method:
    """Return a method for folds of one data set, or blocks without another axis."""
    over = control_tables if key.endswith("/control") else tables
    return Method(
        guarantee=key,
        title=title,
        hypothesis=hypothesis,
        decide=partial(over, decide),
        directed=hypothesis != MARGIN,
    )


def of_means(key: str, title: str, decide: Decide, hypothesis: str = MEAN) -> Method:
    """Return a method for means of data sets."""
    return Method(
        guarantee=key,
        title=title,
        hypothesis=hypothesis,
        decide=partial(data_set_means, decide),
        over_data_sets=True,
    )


def one_model_tests(basis: str, words: str, overlap: float) -> tuple[Method, ...]:
    """Return adjusted t tests of one model of all folds."""
    return tuple(
        plain(
            f"{basis}/{name}{end}",
            f"{title}, {words}",
            partial(one_model_t, overlap, by, bool(end)),
        )
        for name, title, by, end in (
            ("bergmann-hommel", "t, Bergmann-Hommel", by_bergmann_hommel, ""),
            ("holm", "t, Holm", by_holm, "/control"),
            ("hommel", "t, Hommel", by_hommel, "/control"),
        )
    )


PAIRED_T = of_tables("two/paired-t", "paired t", partial(paired, by_holm))
ENLARGED = "corrected t, enlarged overlap term"
TERMS: tuple[tuple[str, Term], ...] = (
    (ENLARGED, enlarged),
    ("corrected t", published),
)
"""Corrected tests by their overlap terms, the default first."""
CORRECTED_T = tuple(
    of_tables("two/corrected-t", title, partial(corrected, by_holm, term))
    for title, term in TERMS
)
CORRECTED_PAIRS = tuple(
    of_tables(
        f"folds/corrected-t/{name}{end}",
        f"{title}, {words}",
        partial(corrected, by, term),
    )
    for title, term in TERMS
    for name, words, by, end in (
        ("bergmann-hommel", "Bergmann-Hommel", by_bergmann_hommel, ""),
        ("holm", "Holm", by_holm, ""),
        ("holm", "Holm", by_holm, "/control"),
        ("hommel", "Hommel", by_hommel, "/control"),
    )
)
ON_FOLDS = (
    Method(
        guarantee="omnibus/anova-corrected",
        title="analysis of variance, corrected for overlap",
        hypothesis=MEAN,
        decide=partial(tables, corrected_anova),
        directed=False,
    ),
    of_tables(
        "folds/pooled/bergmann-hommel",
        "pooled t, Bergmann-Hommel",
        partial(pooled, by_bergmann_hommel),
    ),
    *(
        of_tables(
            f"folds/pooled/{name}/control", f"pooled t, {title}", partial(pooled, by)
        )
        for name, title, by in (
            ("holm", "Holm", by_holm),
            ("hommel", "Hommel", by_hommel),
        )
    ),
    of_tables("folds/paired-t/holm", "paired t, Holm", partial(paired, by_holm)),
    of_tables(
        "folds/paired-t/holm/control", "paired t, Holm", partial(paired, by_holm)
    ),
    *CORRECTED_PAIRS,
    of_tables(
        "folds/corrected/tukey",
        "Tukey, corrected for overlap",
        partial(tukey, overlap=OVERLAP),
    ),
    of_tables(
        "folds/corrected/dunnett/control",
        "Dunnett, corrected for overlap",
        partial(dunnett, overlap=OVERLAP),
    ),
    of_tables("folds/pooled/tukey", "Tukey", tukey),
    of_tables(
        "folds/pooled/tukey",
        "Tukey, analysis of variance first",
        partial(anova_first, tukey),
    ),
    of_tables("folds/pooled/dunnett/control", "Dunnett", dunnett),
)
TWO_MEANS = (
    of_means("two/sign", "sign test of data-set means", two_signs, WINS),
    of_means("two/wilcoxon", "Wilcoxon of data-set means", wilcoxon),
    of_means("two/paired-t", "paired t of data-set means", partial(paired, by_holm)),
)
OF_DATA_SETS = (
    of_means(
        "ranks/normal/bergmann-hommel",
        "z of mean ranks of data-set means, Bergmann-Hommel",
        rank_z,
        MEAN_RANK,
    ),
    of_means("means/pooled/tukey", "Tukey of data-set means", tukey),
    of_means(
        "means/paired-t/bergmann-hommel",
        "paired t of data-set means, Bergmann-Hommel",
        partial(paired, by_bergmann_hommel),
    ),
    plain("wins/sign/holm", "sign tests of wins by Tukey", tukey_wins, WINS),
    plain(
        "wins/sign/holm/control", "sign tests of wins by Dunnett", dunnett_wins, WINS
    ),
    plain(
        "model/pooled/tukey", "Tukey, one model of all folds", partial(one_model, 0.0)
    ),
    plain(
        "model/pooled/dunnett/control",
        "Dunnett, one model of all folds",
        partial(one_model_control, 0.0),
    ),
    *one_model_tests("model/pooled", "one model of all folds", 0.0),
    plain(
        "omnibus/interaction",
        "interaction of algorithm and data set",
        partial(interaction, 0.0),
        INTERACTION,
    ),
)
OF_OVERLAPPING = (
    *(
        plain(
            f"wins/sign/holm{end}",
            f"sign tests of wins by {title} and Holm",
            partial(decide, term),
            WINS,
        )
        for title, term in TERMS
        for end, decide in (
            ("", corrected_wins),
            ("/control", corrected_control_wins),
        )
    ),
    plain(
        "model/corrected/tukey",
        "Tukey, one model of all folds, corrected for overlap",
        partial(one_model, OVERLAP),
    ),
    plain(
        "model/corrected/dunnett/control",
        "Dunnett, one model of all folds, corrected for overlap",
        partial(one_model_control, OVERLAP),
    ),
    *one_model_tests(
        "model/corrected", "one model of all folds, corrected for overlap", OVERLAP
    ),
    plain(
        "omnibus/interaction-corrected",
        "interaction of algorithm and data set, corrected for overlap",
        partial(interaction, OVERLAP),
        INTERACTION,
    ),
)
OF_STRATA = (
    plain(
        "omnibus/strata-between",
        "term between data sets",
        partial(strata, "between"),
        BETWEEN,
    ),
    plain(
        "omnibus/strata-within",
        "term within data sets",
        partial(strata, "within"),
        MEAN,
    ),
    plain(
        "omnibus/strata-within",
        "interaction of both terms",
        partial(strata, "crossed"),
        CROSSED,
    ),
)
OF_METRICS = (
    plain("omnibus/manova", "MANOVA, Wilks", wilks, VECTOR),
    plain(
        "mean-vectors/paired-T2/bergmann-hommel",
        "paired T2, Bergmann-Hommel",
        partial(vectors, by_bergmann_hommel),
        VECTOR,
    ),
    plain(
        "mean-vectors/paired-T2/holm",
        "paired T2, Holm",
        partial(vectors, by_holm),
        VECTOR,
    ),
)
RISKS = plain(
    "wins/sign/holm", "sign tests of wins by total risk", risk_wins, WINS, FEWER
)
AREAS = (
    plain(
        "auc/delong/bergmann-hommel",
        "DeLong, Bergmann-Hommel",
        partial(delong, by_bergmann_hommel),
        AUC,
    ),
    plain("auc/delong/holm", "DeLong, Holm", partial(delong, by_holm), AUC),
)


def at_thresholds(rule: str) -> Method:
    """Return the sign tests of wins over thresholds by a rule."""
    how = "each by a sign test" if rule == "sign" else "any of them"
    return plain(
        "wins/sign/holm",
        f"sign tests of wins over 5 thresholds, {how}",
        partial(threshold_wins, rule, THRESHOLDS),
        WINS,
        FEWER,
    )


def margins(margin: float, a: int) -> tuple[Method, ...]:
    """Return claims of equivalence and non-inferiority within a margin.

    With two algorithms each is one test, and nothing is adjusted.
    """
    return of_margin("margins/t", "t", margin, a, independent)


def corrected_margins(margin: float, a: int) -> tuple[Method, ...]:
    """Return the same claims on folds that overlap."""
    return tuple(
        method
        for title, term in TERMS
        for method in of_margin("margins/corrected-t", title, margin, a, term)
    )


def of_margin(
    basis: str, test: str, margin: float, a: int, overlap: Term
) -> tuple[Method, ...]:
    """Return both claims of one kind of tests."""
    adjusted, control = ("", "") if a == 2 else ("/holm", "/holm/control")
    words = "" if a == 2 else ", Holm"
    return (
        of_tables(
            f"{basis}{adjusted}",
            f"equivalence, two one-sided {test} tests{words}",
            partial(alike_within, margin, overlap),
            MARGIN,
        ),
        of_tables(
            f"{basis}{control}",
            f"non-inferiority, one-sided {test} tests{words}",
            partial(not_worse, margin, overlap),
            MARGIN,
        ),
    )
