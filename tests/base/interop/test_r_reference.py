"""The R reference functions against R's own functions, other packages, stored numbers.

``validation`` compares pycompare with them; here they are compared with second
witnesses in R. These tests need R and rpy2; without them they fail.
"""

from __future__ import annotations

import os
import re
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.interop import rscript
from pycompare.base.interop.r_call import RCall
from pycompare.base.testing import assert_digits
from tests.conftest import GOLDEN, golden, wide
from tests.methods.linear.witness import several
from tests.r_session import run, run_source
from validation import r
from validation.checks.models import designed

pytestmark = pytest.mark.r


def call(files: str, function: str, **arguments: Any) -> dict[str, Any]:
    call = RCall(tuple(files.split()), function, arguments)
    (found,) = run([call])
    return found


def matrix(scores: pc.Scores) -> dict[str, Any]:
    """Scores as the reference functions get them."""
    return pc.friedman(scores).blocks.r_arguments()


GOLDEN_NAMES = {
    "bonferroni": "bonferroni",
    "sidak": "sidak_single_accurate",
    "holm": "holm",
    "hochberg": "hochberg",
    "hommel": "hommel",
    "BH": "BH",
    "BY": "BY",
    "finner": "finner_accurate",
    "holland": "holland_accurate",
    "li": "li_scmamp",
    "rom": "rom_stepup_exact",
    "shaffer": "shaffer_static_bruteforce",
    "shaffer-dynamic": "shaffer_dynamic_containing_bruteforce",
    "bergmann-hommel": "bergmann_hommel_bruteforce_without_final_monotonicity",
}


@pytest.fixture(scope="module")
def adjusted() -> dict[str, list[tuple[Any, Any]]]:
    """R's and the stored adjusted p-values of each family, all from one R process."""
    calls: list[RCall] = []
    stored: list[tuple[str, Any]] = []
    for name, family in golden("padjust_vectors")["outputs"].items():
        p = np.atleast_1d(np.array(family["p"], float))
        for method, entry in GOLDEN_NAMES.items():
            if method == "shaffer-dynamic" and "ties" in name:
                continue  # its running maximum follows the order of tied p-values
            value = family["adjusted"][entry]["value"]
            stored.append((method, value["p"] if isinstance(value, dict) else value))
            arguments = {"p": p, "method": method}
            calls.append(RCall(("adjust",), "adjust_reference", arguments))
    pairs: dict[str, list[tuple[Any, Any]]] = {method: [] for method in GOLDEN_NAMES}
    for (method, value), found in zip(stored, run(calls), strict=True):
        pairs[method].append((found["p_adjusted"], value))
    return pairs


@pytest.mark.parametrize("method", GOLDEN_NAMES)
def test_adjustments_agree_with_stored_numbers(method, adjusted):
    wanted = 13 if method == "rom" else 15  # both search a root
    assert len(adjusted[method]) > 30
    for found, stored in adjusted[method]:
        assert_digits(np.atleast_1d(found), np.atleast_1d(stored), at_least=wanted)


def test_dynamic_shaffer_is_that_of_multcomp(garcia_herrera):
    friedman = pc.friedman(garcia_herrera)
    pairs = pc.rank_pairs(garcia_herrera, adjust="shaffer-dynamic")
    found = call(
        "adjust",
        "shaffer_dynamic_multcomp_reference",
        mean_ranks=friedman.mean_ranks.to_numpy(),
        std_error=pairs.table["std_error"].iloc[0],
    )
    # mvtnorm's tails have absolute accuracy.
    assert_digits(pairs.table["p_adjusted"], found["p_adjusted"], at_least=9)


def test_coin_agrees_on_friedman_and_aligned_ranks(garcia_herrera):
    arguments = matrix(garcia_herrera)
    friedman = pc.friedman(garcia_herrera)
    aligned = pc.aligned_ranks(garcia_herrera)
    for result, file, function in (
        (friedman, "friedman_exact", "friedman_coin_reference"),
        (aligned, "aligned_ranks", "aligned_ranks_coin_reference"),
    ):
        found = call(f"ranks {file}", function, **arguments)
        assert_digits(result.statistic, found["statistic"], at_least=13)
        assert_digits(result.p_value, found["p_value"], at_least=9)  # 1 - pchisq


def test_plain_calls_of_r_agree_where_no_tie_is_split(garcia_herrera):
    x = rscript.value(-garcia_herrera.to_wide())
    found = run_source(
        f"x <- {x}\nlist(friedman = friedman.test(x)$statistic, "
        "quade = quade.test(x)$statistic)"
    )
    friedman, quade = pc.friedman(garcia_herrera), pc.quade(garcia_herrera)
    assert_digits(friedman.statistic, found["friedman"], at_least=14)
    assert_digits(quade.statistic, found["quade"], at_least=14)


def test_rounding_noise_splits_no_tie():
    noisy = wide([[0.1 + 0.2, 0.3, 0.5], [0.7, 0.1 * 7, 0.2], [1.0, 2.0, 3.0]])
    clean = wide([[0.3, 0.3, 0.5], [0.7, 0.7, 0.2], [1.0, 2.0, 3.0]])
    results = [f(s) for f in (pc.friedman, pc.quade) for s in (noisy, clean)]
    found = run([result.r_call() for result in results])
    assert found[0] == found[1] and found[2] == found[3]


def test_skillings_mack_effects_are_those_of_weighted_least_squares():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(12, 4)).round(1)
    values[rng.random(values.shape) < 0.2] = np.nan
    ranks = pd.DataFrame(values).rank(axis=1).to_numpy(copy=True)
    k = (~np.isnan(values)).sum(axis=1, keepdims=True)
    ranks[k[:, 0] < 2] = np.nan
    y = np.sqrt(12 / (k + 1)) * (ranks - (k + 1) / 2) / k
    source = f"""
        y <- {rscript.value(y)}
        cells <- data.frame(y = c(y), w = rowSums(!is.na(y))[row(y)],
          block = factor(row(y)), algorithm = factor(col(y)))
        fit <- lm(y ~ block + algorithm, cells, weights = w,
          contrasts = list(algorithm = "contr.sum"))
        effects <- dummy.coef(fit)$algorithm
        list(mean_ranks = 2.5 + unname(effects) * 4 * sqrt(5 / 12))
    """
    result = pc.skillings_mack(wide(values, "lower", missing="model"))
    assert_digits(result.mean_ranks, run_source(source)["mean_ranks"], at_least=12)


def test_exact_p_is_refused_where_enumeration_is_too_much(garcia_herrera):
    with pytest.raises(pc.ReferenceUnavailable, match="more than two million orders"):
        call(
            "ranks friedman_exact", "friedman_exact_reference", **matrix(garcia_herrera)
        )


def test_quantiles_of_the_studentised_range_are_those_of_mpmath():
    rows = golden("studentized_range_mpmath")["rows"]
    rows = [w for w in rows if w["p"] == 0.05 and w["df"] == np.inf]
    assert len(rows) > 3
    found = call(
        "studentized_range",
        "studentized_range_quantile_reference",
        p=np.array([w["p"] for w in rows]),
        a=np.array([float(w["k"]) for w in rows]),
        df=np.array([float(w["df"]) for w in rows]),
    )
    # As good as ptukey; qtukey alone has 7 digits.
    assert_digits(found["quantile"], [w["ppf"] for w in rows], at_least=8.5)
    assert_digits(found["qtukey"], [w["ppf"] for w in rows], at_least=7)


def test_a_missing_package_is_named_with_its_debian_package(monkeypatch):
    source = rscript.reference_source("exhaustive").replace("partitions::", "nopart::")
    monkeypatch.setattr(r, "reference_source", lambda stem: source)
    with pytest.raises(pc.ReferenceUnavailable, match="apt-get install r-cran-nopart"):
        call("exhaustive", "exhaustive_reference", a=4)


def test_analysis_of_variance_with_gaps_is_that_of_drop1():
    values = np.random.default_rng(6).normal(size=(8, 4))
    values[[0, 3, 5], [1, 2, 2]] = np.nan
    result = pc.anova(wide(values, missing="model"))
    source = f"""
        x <- {rscript.value(pd.DataFrame(values))}
        cells <- na.omit(data.frame(y = c(x), block = factor(row(x)),
          algorithm = factor(col(x))))
        table <- drop1(lm(y ~ block + algorithm, cells), "algorithm", test = "F")
        list(statistic = table[["F value"]][2], p_value = table[["Pr(>F)"]][2])
    """
    found = run_source(source)
    assert_digits(result.statistic, found["statistic"], at_least=11)
    assert_digits(result.p_value, found["p_value"], at_least=11)


def test_pairs_of_means_are_those_of_tukeyhsd_and_pairwise_t_test(garcia_herrera):
    source = f"""
        x <- {rscript.value(garcia_herrera.to_wide())}
        cells <- data.frame(y = c(x), block = factor(row(x)),
          algorithm = factor(col(x)))
        fit <- aov(y ~ block + algorithm, cells)
        t <- pairwise.t.test(cells$y, cells$algorithm, p.adjust.method = "holm")
        list(estimate = -TukeyHSD(fit, "algorithm")$algorithm[, "diff"],
          t = t$p.value[!is.na(t$p.value)])
    """
    found = run_source(source)
    tukey = pc.tukey(garcia_herrera).table
    assert_digits(tukey["estimate"], found["estimate"], at_least=12)
    holm = pc.pairwise_t(garcia_herrera, blocked=False, adjust="holm").table
    assert_digits(holm["p_adjusted"], found["t"], at_least=11)


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("step_down", [True, False])
def test_dunnett_is_that_of_multcomp_to_its_noise(blocked, step_down, garcia_herrera):
    result = pc.dunnett(
        garcia_herrera, control="Kernel", blocked=blocked, step_down=step_down
    )
    found = call(
        "linear studentized_range adjust mean_pairs",
        "dunnett_multcomp_reference",
        x=garcia_herrera.to_wide(),
        blocked=blocked,
        control="Kernel",
        step_down=step_down,
    )
    difference = result.table["p_adjusted"] - found["p_adjusted"]
    assert np.abs(difference).max() < 1e-5


@pytest.mark.parametrize(
    "method",
    [
        pc.anova,
        pc.tukey,
        pc.scheffe,
        pc.pairwise_t,
        pc.residual_checks,
        lambda scores: pc.dunnett(scores, control="CN2"),
    ],
)
def test_r_code_of_linear_models_runs(method, garcia_herrera):
    result = method(garcia_herrera)
    found = run_source(result.r_code())
    for name, value in result.r_values().items():
        size = np.nan_to_num(np.abs(value)).max()
        assert np.allclose(
            value, found[name], rtol=1e-6, atol=1e-7 * size, equal_nan=True
        )


@pytest.mark.parametrize(
    ("formula", "options"),
    [
        ("error ~ learner * prep", {"within": "data"}),
        ("error ~ time", {"type": 1}),
        ("error ~ learner * time", {"within": "data", "method": "reml"}),
    ],
)
def test_r_code_of_models_by_formula_runs(formula, options):
    result = pc.linear_model(designed(1), formula, **options)
    found = run_source(result.r_code())
    for name, value in result.r_values().items():
        assert np.allclose(value, found[name], rtol=1e-5, equal_nan=True), name


@pytest.mark.parametrize(
    "method",
    [
        partial(pc.hotelling, algorithms=("A0", "A2")),
        partial(pc.hotelling_pairs, adjust="holm"),
        partial(pc.hotelling_pairs, method="contrast", adjust="shaffer"),
    ],
)
def test_r_code_of_hotellings_t2_runs(method):
    result = method(several(np.random.default_rng(7).normal(size=(9, 3, 2))))
    found = run_source(result.r_code())
    for name, value in result.r_values().items():
        assert_digits(value, found[name], at_least=6, what=name)


@pytest.mark.parametrize(
    "method",
    [
        lambda scores: pc.permutation_manova(scores, seed=1),
        lambda scores: pc.permutation_manova(
            scores, statistic="trace", standardise="sd", seed=1
        ),
        lambda scores: pc.permutation_manova(
            scores, permutations=[[2, 0, 1, 3, 5, 4, *range(6, 15)]]
        ),
        lambda scores: pc.multivariate_checks(scores, blocked=False),
    ],
)
def test_r_code_of_several_metrics_runs_whatever_the_labels(method):
    rng = np.random.default_rng(7)
    rows = [
        {
            "block": f'b"{i}',
            "algorithm": name,
            "a'b": rng.normal(),
            "\\n%": rng.normal(),
        }
        for i in range(5)
        for name in ("<b>", "__import__('os')", "é 名")
    ]
    scores = pc.Scores.from_frame(
        rows,
        algorithm="algorithm",
        block="block",
        metrics={"a'b": "higher", "\\n%": "lower"},
    )
    result = method(scores)
    found = run_source(result.r_code())
    for name, value in result.r_values().items():
        assert_digits(found[name], value, at_least=11, what=name)


def test_adonis2_agrees_with_stored_numbers():
    case = golden("adonis_3x10x2")
    frame = pd.DataFrame(case["input"]["Y"], index=map(str, case["input"]["blk"]))
    found = call(
        "responses permutation_manova",
        "permutation_manova_reference",
        y=frame.set_axis(["u", "v"], axis=1),
        algorithm=[str(j) for j in case["input"]["alg"]],
        blocked=True,
        dataset=[],
        statistic="trace",
        standardise="none",
        orders=np.array(case["input"]["perm_within_blocks"], float),
    )
    stored = case["outputs"]["adonis2_blk_alg_terms_within_blocks"]["value"]
    assert_digits(found["statistic"], stored["F"][1], at_least=14)
    assert_digits(found["p_value"], stored["p"][1], at_least=15)


MADE_BY = {
    "studentized_range_mpmath": "studentized_range.py",
    "runs": "runs_within_blocks.R",
}


WITHOUT_SCRIPT = ("aslan_2009_wins", "mrmc_sim_")
"""Typed from a thesis; made by packages that are not in Debian, with their calls."""


def maker_of(path: Path) -> Path | None:
    """The script that makes a golden file: of the longest part of its name."""
    words = path.stem.split("_")
    parts = ["_".join(words[:i]) for i in range(len(words), 0, -1)]
    named = [MADE_BY[part] for part in parts if part in MADE_BY]
    scripts = [GOLDEN / (named[0] if named else f"{part}.R") for part in parts]
    return next((script for script in scripts if script.is_file()), None)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda p: p.stem)
def test_every_golden_file_has_the_script_that_made_it(path):
    assert path.stem.startswith(WITHOUT_SCRIPT) or maker_of(path) is not None


@pytest.mark.slow
def test_scripts_make_the_golden_files_again():
    kinds = ["padjust", "paired", "classic", "cochran", "adonis"]
    ran = subprocess.run(
        ["Rscript", "--vanilla", "remake.R", *kinds],
        cwd=GOLDEN,
        env={k: v for k, v in os.environ.items() if k != "GOLDEN_SOURCES"},
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        check=True,
    )
    counts = re.findall(
        r"^(\w+): (\d+) of \d+ entries made, \d+ alike to the last bit, "
        r"fewest digits ([\d.]+)$",
        ran.stdout,
        re.MULTILINE,
    )
    assert len(counts) == sum(len([*GOLDEN.glob(f"{kind}_*.json")]) for kind in kinds)
    # The other entries are made by packages that Debian lacks.
    assert sum(int(made) for _, made, _ in counts) > 700 + 6 * 17 + 2 * 3 + 3 * 8
    assert all(float(digits) > 13 for _, _, digits in counts), ran.stdout


@pytest.mark.parametrize("a", [7, 11])  # above 10 R has no other way
def test_the_search_of_cliques_gives_what_enumeration_and_our_search_give(a):
    rng = np.random.default_rng(a)
    x = rng.normal(size=(15, a)) + rng.normal(size=a)
    first, second = np.triu_indices(a, 1)
    away = x[:, first] - x[:, second]
    p = np.asarray(stats.wilcoxon(away, axis=0).pvalue)
    square = np.ones((a, a))
    square[first, second] = square[second, first] = p
    searched = run_source(
        rscript.reference_source("adjust")
        + "list("
        + f"bergmann_hommel = bergmann_hommel_by_cliques({rscript.value(p)}), "
        + f"shaffer_dynamic = largest_by_cliques({rscript.value(p)}))"
    )
    for method in ("bergmann-hommel", "shaffer-dynamic"):
        found = np.array(searched[method.replace("-", "_")])
        if method == "shaffer-dynamic":
            found = [np.max((found * p)[p <= v]) for v in p]
        ours = pc.adjust(square, method)[first, second]
        assert_digits(np.minimum(found, 1), ours, at_least=13, what=method)
