"""Second witnesses in Python: statsmodels and pingouin, for what they have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc

from .. import cases as data
from ..agreement import Case, Check, Library, Wanted
from ..cases import Floats
from ..making import CLOSED, TAIL, Makers
from .manova import COMPLETE as SEVERAL
from .pairs import PAIRS

SQUARES = Wanted(11, "statsmodels solves least squares by the pseudo-inverse")
OF_ZERO = Wanted(9, "equal means differ by rounding in statsmodels", floor=0.1)
RANGE = Wanted(
    7, "statsmodels' studentised range, an integral by quadrature", floor=1e-3
)
EIGEN = Wanted(10, "eigenvalues of an unsymmetric matrix")
INVERTED = Wanted(11, "the covariance matrix is inverted")
NUMBERS = Mapping[str, Any]

# What squares scores has no digits at 1e-300 and 1e299.
TABLES = {k: v for k, v in data.COMPLETE.items() if "scale" not in k}
CONTINUOUS = {
    k: v for k, v in TABLES.items() if "ties" not in k and "two algorithms" not in k
}
GAPS = {k: v for k, v in data.INCOMPLETE.items() if "ties" not in k}
ORDINARY = {
    k: v
    for k, v in PAIRS.items()
    if k.startswith("normal") or k.startswith("no difference 12")
}
METRICS = {
    k: v for k, v in SEVERAL.items() if "one metric" not in k and "denominator" not in k
}


def long(values: Floats) -> pd.DataFrame:
    """Return columns for block, algorithm and score, without empty cells."""
    rows, columns = np.nonzero(~np.isnan(values))
    return pd.DataFrame({"b": rows, "a": columns, "y": values[rows, columns]})


def library_checks() -> list[Check]:
    """Return the checks against Python libraries."""
    return [
        *adjustment_checks(),
        *rank_checks(),
        *mean_checks(),
        *pair_checks(),
        *metric_checks(),
    ]


def against(
    library: str,
    function: str,
    statistic: str,
    cases: Callable[[], Iterator[Case]],
    **wanted: Wanted,
) -> Check:
    """Return a check whose reference is a function of a Python library."""
    rules = {"*": CLOSED, "p_value": TAIL} | wanted
    title = f"{statistic}, second witness: {library}"
    return Check(title, Library(f"{library}: {function}"), cases, rules)


# ---- adjusted p-values ---------------------------------------------------------------

OF_STATSMODELS = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "BH": "fdr_bh",
    "BY": "fdr_by",
}


def adjustment_checks() -> list[Check]:
    """Return the checks of adjusted p-values."""
    return [
        against(
            "statsmodels",
            f"multipletests(method={name!r})",
            f"adjust: {ours}",
            partial(adjusted, ours, name),
        )
        for ours, name in OF_STATSMODELS.items()
    ]


def adjusted(ours: str, name: str) -> Iterator[Case]:
    """Make the cases of one adjustment."""
    for title, p in data.p_vectors().items():
        yield Case(title, partial(multipletests, p, name), {"p": pc.adjust(p, ours)})


def multipletests(p: Floats, method: str) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.stats.multitest import multipletests

    return {"p": multipletests(p, method=method)[1]}


# ---- ranks ---------------------------------------------------------------------------


def rank_checks() -> list[Check]:
    """Return the checks of Friedman's test, and Cochran's Q as its special case."""
    return [
        against("pingouin", "friedman", "Friedman, Kendall's W", friedman_cases),
        against(
            "statsmodels", "cochrans_q", "Cochran's Q (Friedman of 0 and 1)", q_cases
        ),
    ]


def friedman_cases() -> Iterator[Case]:
    """Make cases of scores with and without ties."""
    for name, make in TABLES.items():
        scores = make()
        got = pc.friedman(scores)
        ours = {
            "statistic": got.statistic,
            "p_value": got.p_value,
            "w": got.kendall_w.estimate,
        }
        yield Case(name, partial(pingouin_friedman, scores.column()), ours)


def pingouin_friedman(x: Floats) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    found = pingouin.friedman(long(x), dv="y", within="a", subject="b").iloc[0]
    return {"statistic": found["Q"], "p_value": found["p_unc"], "w": found["W"]}


def q_cases() -> Iterator[Case]:
    """Make cases of successes and failures."""
    for seed, (n, a) in enumerate(((30, 3), (100, 4), (12, 6))):
        x = (data.normal(n, a, seed, 0.2) > 0).astype(float)
        got = pc.friedman(data.scores(x))
        ours = {"statistic": got.statistic, "p_value": got.p_value}
        yield Case(f"{n}x{a}", partial(cochrans_q, x), ours)


def cochrans_q(x: Floats) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.stats.contingency_tables import cochrans_q

    found = cochrans_q(x)
    return {"statistic": found.statistic, "p_value": found.pvalue}


# ---- means ---------------------------------------------------------------------------


def mean_checks() -> list[Check]:
    """Return the checks of analyses of variance and Tukey's differences."""
    squares = {"*": SQUARES, "p_value": SQUARES}
    return [
        against("statsmodels", "AnovaRM", "analysis of variance", rm_cases, **squares),
        against(
            "statsmodels",
            "anova_lm(ols(), typ=2)",
            "analysis of variance with gaps",
            gap_cases,
            **squares,
        ),
        against(
            "pingouin",
            "rm_anova, epsilon",
            "analysis of variance, sphericity",
            sphericity_cases,
            **squares,
        ),
        against(
            "statsmodels",
            "pairwise_tukeyhsd",
            "Tukey, one-way",
            tukey_cases,
            **{"*": RANGE, "estimate": OF_ZERO},
        ),
    ]


def of_algorithms(scores: pc.Scores) -> NUMBERS:
    """Return F, its degrees of freedom and its p-value."""
    table = pc.anova(scores).to_frame().set_index("term")
    row = table.loc["algorithm"]
    return {
        "statistic": row["statistic"],
        "df": [row["df"], table.loc["residual", "df"]],
        "p_value": row["p_value"],
    }


def rm_cases() -> Iterator[Case]:
    """Make cases of complete tables."""
    for name, make in TABLES.items():
        scores = make()
        yield Case(name, partial(anova_rm, scores.column()), of_algorithms(scores))


def anova_rm(x: Floats) -> NUMBERS:
    """Ask statsmodels for a repeated-measures analysis."""
    from statsmodels.stats.anova import AnovaRM

    row = AnovaRM(long(x), "y", "b", within=["a"]).fit().anova_table.iloc[0]
    return {
        "statistic": row["F Value"],
        "df": [row["Num DF"], row["Den DF"]],
        "p_value": row["Pr > F"],
    }


def gap_cases() -> Iterator[Case]:
    """Make cases of tables that lack cells."""
    for name, make in GAPS.items():
        scores = make()
        yield Case(name, partial(anova_type_2, scores.column()), of_algorithms(scores))


def anova_type_2(x: Floats) -> NUMBERS:
    """Ask statsmodels for the algorithms, adjusted for blocks."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    table = anova_lm(ols("y ~ C(b) + C(a)", long(x)).fit(), typ=2)
    row = table.loc["C(a)"]
    return {
        "statistic": row["F"],
        "df": [row["df"], table.loc["Residual", "df"]],
        "p_value": row["PR(>F)"],
    }


def sphericity_cases() -> Iterator[Case]:
    """Make cases of three algorithms or more."""
    for name, make in CONTINUOUS.items():
        scores = make()
        found = pc.anova(scores)
        sphericity = found.sphericity
        assert sphericity is not None
        ours = {
            **of_algorithms(scores),
            "generalised_eta2": found.generalised_eta2.estimate,
            "mauchly": sphericity.statistic,
            "greenhouse_geisser": sphericity.greenhouse_geisser,
            # pingouin caps it at 1.
            "huynh_feldt": min(1.0, sphericity.huynh_feldt),
            "p_greenhouse_geisser": sphericity.p_greenhouse_geisser,
        }
        yield Case(name, partial(rm_anova, scores.column()), ours)


def rm_anova(x: Floats) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    roles: dict[str, Any] = {"dv": "y", "within": "a", "subject": "b"}
    table = long(x)
    found = pingouin.rm_anova(table, **roles, correction=True, detailed=True)
    row = found.iloc[0]
    return {
        "statistic": row["F"],
        "df": found["DF"].to_numpy(float),
        "p_value": row["p_unc"],
        "generalised_eta2": row["ng2"],
        "mauchly": row["W_spher"],
        "greenhouse_geisser": row["eps"],
        "huynh_feldt": pingouin.epsilon(table, **roles, correction="hf"),
        "p_greenhouse_geisser": row["p_GG_corr"],
    }


def tukey_cases() -> Iterator[Case]:
    """Make cases without blocks, which statsmodels does not know."""
    for name, make in TABLES.items():
        if "15x8" in name or "60x5" in name:
            continue  # its quadrature takes seconds
        scores = make()
        values = pc.tukey(scores, blocked=False).r_values()
        ours = {k: values[k] for k in ("estimate", "conf_low", "conf_high")}
        ours["p_adjusted"] = values["p_adjusted"]
        yield Case(name, partial(tukey_hsd, scores.column()), ours)


def tukey_hsd(x: Floats) -> NUMBERS:
    """Ask statsmodels; its differences are second less first."""
    from statsmodels.stats.multicomp import pairwise_tukeyhsd

    table = long(x)
    found = pairwise_tukeyhsd(table["y"], table["a"])
    return {
        "estimate": -found.meandiffs,
        "conf_low": -found.confint[:, 1],
        "conf_high": -found.confint[:, 0],
        "p_adjusted": found.pvalues,
    }


# ---- two algorithms ------------------------------------------------------------------


def pair_checks() -> list[Check]:
    """Return the checks of tests of two algorithms."""
    return [
        against("pingouin", "wilcoxon", "Wilcoxon signed rank, exact", wilcoxon_cases),
        against("pingouin", "ttest", "paired t", t_cases),
        against("statsmodels", "ttost_paired", "equivalence", tost_cases),
        against(
            "statsmodels", "sign_test, proportion_confint", "sign test", sign_cases
        ),
        against("statsmodels", "mcnemar", "McNemar", mcnemar_cases),
    ]


def two(makers: Makers) -> Iterator[tuple[str, pc.Scores, Floats]]:
    """Yield name, scores and their array."""
    for name, make in makers.items():
        scores = make()
        yield name, scores, scores.column()


def wilcoxon_cases() -> Iterator[Case]:
    """Make cases without ties, where pingouin's p-value is exact."""
    for name, scores, x in two(ORDINARY):
        got = pc.wilcoxon(scores)
        n = len(x)
        ours = {
            "smaller_sum": min(got.statistic, n * (n + 1) / 2 - got.statistic),
            "p_value": got.p_value,
            "rank_biserial": abs(got.rank_biserial),
        }
        yield Case(name, partial(wilcoxon, x), ours)


def wilcoxon(x: Floats) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    found = pingouin.wilcoxon(x[:, 0], x[:, 1]).iloc[0]
    return {
        "smaller_sum": found["W_val"],
        "p_value": found["p_val"],
        "rank_biserial": abs(found["RBC"]),
    }


def oriented(result: Any) -> float:
    """Return t of a result, in size: its sign follows the metric's direction."""
    return abs(float(result.statistic))


def t_cases() -> Iterator[Case]:
    """Make cases of paired t tests."""
    for name, scores, x in two(ORDINARY):
        got = pc.paired_t(scores)
        ours = {"statistic": oriented(got), "df": got.df, "p_value": got.p_value}
        yield Case(name, partial(ttest, x), ours)


def ttest(x: Floats) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    found = pingouin.ttest(x[:, 0], x[:, 1], paired=True).iloc[0]
    return {
        "statistic": abs(found["T"]),
        "df": found["dof"],
        "p_value": found["p_val"],
    }


def tost_cases() -> Iterator[Case]:
    """Make cases of two one-sided tests."""
    for name, scores, x in two(ORDINARY):
        got = pc.equivalence(scores, margin=0.8)
        yield Case(name, partial(ttost, x), {"p_value": got.p_value})


def ttost(x: Floats) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.stats.weightstats import ttost_paired

    return {"p_value": ttost_paired(x[:, 0], x[:, 1], -0.8, 0.8)[0]}


def sign_cases() -> Iterator[Case]:
    """Make cases of sign tests."""
    for name, scores, x in two(ORDINARY):
        values = pc.sign_test(scores).r_values()
        ours = {
            "p_value": values["p_value"],
            "limits": sorted(abs(values[k] - 0.5) for k in ("conf_low", "conf_high")),
        }
        yield Case(name, partial(sign_test, x), ours)


def sign_test(x: Floats) -> NUMBERS:
    """Ask statsmodels; limits as distances from one half, in either direction."""
    from statsmodels.stats.descriptivestats import sign_test
    from statsmodels.stats.proportion import proportion_confint

    d = x[:, 0] - x[:, 1]
    low, high = proportion_confint(np.sum(d > 0), np.sum(d != 0), method="beta")
    limits = sorted((abs(low - 0.5), abs(high - 0.5)))
    return {"p_value": sign_test(d)[1], "limits": limits}


def mcnemar_cases() -> Iterator[Case]:
    """Make cases of counts of cases that one classifier alone has right."""
    forms: dict[Any, dict[str, bool]] = {
        "exact": {"exact": True},
        "chi2": {"exact": False, "correction": False},
        "chi2-corrected": {"exact": False, "correction": True},
    }
    for counts in ((0, 5), (1, 7), (6, 6), (9, 3), (150, 86), (400, 20)):
        for form, options in forms.items():
            # With correction, equal counts give (|0| - 1)^2 there and 0 in R.
            if form != "chi2-corrected" or counts[0] != counts[1]:
                ours = {"p_value": pc.mcnemar(counts, p_value=form).p_value}
                yield Case(f"{counts}, {form}", partial(mcnemar, counts, options), ours)


def mcnemar(counts: tuple[int, int], options: dict[str, bool]) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.stats.contingency_tables import mcnemar

    table = [[50, counts[0]], [counts[1], 30]]
    return {"p_value": mcnemar(table, **options).pvalue}


# ---- several metrics -----------------------------------------------------------------


def metric_checks() -> list[Check]:
    """Return the checks of tests of several metrics."""
    return [
        against(
            "statsmodels",
            "MANOVA",
            "MANOVA",
            manova_cases,
            **{"*": EIGEN, "p_value": EIGEN},
        ),
        against(
            "pingouin",
            "multivariate_ttest",
            "Hotelling's T2",
            hotelling_cases,
            **{"*": INVERTED, "p_value": INVERTED},
        ),
        against(
            "statsmodels",
            "test_cov_oneway",
            "Box's M",
            box_cases,
            **{"*": INVERTED, "p_value": INVERTED},
        ),
        against(
            "pingouin",
            "multivariate_normality",
            "Henze-Zirkler",
            normality_cases,
            **{"*": INVERTED, "p_value": INVERTED},
        ),
    ]


def manova_cases() -> Iterator[Case]:
    """Make cases of the four tests; F of Hotelling-Lawley is another there."""
    for name, make in METRICS.items():
        scores = make()
        values = pc.manova(scores).r_values()
        pick = [0, 1, 3]
        ours = {"statistic": values["statistic"]}
        ours |= {
            key: np.asarray(values[column])[pick]
            for key, column in (
                ("f", "f"),
                ("df1", "df1"),
                ("df2", "df2"),
                ("p_value", "p_value"),
            )
        }
        yield Case(name, partial(manova, scores.values), ours)


def manova(y: Floats) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.multivariate.manova import MANOVA

    b, a, p = y.shape
    names = [f"m{k}" for k in range(p)]
    table = pd.DataFrame(y.reshape(b * a, p), columns=names)
    table["b"], table["a"] = np.repeat(np.arange(b), a), np.tile(np.arange(a), b)
    model = MANOVA.from_formula(f"{' + '.join(names)} ~ C(b) + C(a)", table)
    found = model.mv_test().results["C(a)"]["stat"].to_numpy(float)
    rest = found[[0, 1, 3]]
    return {
        "statistic": found[:, 0],
        "f": rest[:, 3],
        "df1": rest[:, 1],
        "df2": rest[:, 2],
        "p_value": rest[:, 4],
    }


def hotelling_cases() -> Iterator[Case]:
    """Make cases of the first two algorithms, paired and as two samples."""
    forms: tuple[tuple[Any, bool], ...] = (("paired", True), ("two-sample", False))
    for name, make in METRICS.items():
        scores = make()
        for method, paired in forms:
            got = pc.hotelling(scores, algorithms=scores.algorithms[:2], method=method)
            ours = {
                "t2": got.t2,
                "statistic": got.statistic,
                "df": got.df,
                "p_value": got.p_value,
            }
            x, y = scores.values[:, 0], scores.values[:, 1]
            yield Case(f"{name}, {method}", partial(multivariate_t, x, y, paired), ours)


def multivariate_t(x: Floats, y: Floats, paired: bool) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    found = pingouin.multivariate_ttest(x, y, paired=paired).iloc[0]
    return {
        "t2": found["T2"],
        "statistic": found["F"],
        "df": [found["df1"], found["df2"]],
        "p_value": found["pval"],
    }


def box_cases() -> Iterator[Case]:
    """Make cases of Box's M, one-way."""
    for name, make in METRICS.items():
        scores = make()
        values = pc.multivariate_checks(scores, blocked=False).r_values()
        ours = {
            "m": values["m"],
            "chi2": values["box_m"],
            "p_value": values["box_m_p_value"],
            "f": values["box_m_f"],
            "f_p_value": values["box_m_f_p_value"],
        }
        yield Case(name, partial(cov_oneway, scores.values), ours)


def cov_oneway(y: Floats) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.stats.multivariate import test_cov_oneway

    b, a, _ = y.shape
    found = test_cov_oneway([np.cov(y[:, j].T) for j in range(a)], [b] * a)
    return {
        "m": found.statistic_base,
        "chi2": found.statistic_chi2,
        "p_value": found.pvalue_chi2,
        "f": found.statistic_f,
        "f_p_value": found.pvalue_f,
    }


def normality_cases() -> Iterator[Case]:
    """Make cases of residuals from the means of the algorithms."""
    for name, make in METRICS.items():
        scores = make()
        values = pc.multivariate_checks(scores, blocked=False).r_values()
        ours = {
            "statistic": values["henze_zirkler"],
            "p_value": values["henze_zirkler_p_value"],
        }
        residuals = scores.values - scores.values.mean(axis=0)
        rows = residuals.reshape(-1, residuals.shape[2])
        yield Case(name, partial(multivariate_normality, rows), ours)


def multivariate_normality(x: Floats) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    found = pingouin.multivariate_normality(x)
    return {"statistic": found.hz, "p_value": found.pval}
