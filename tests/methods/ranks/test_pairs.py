from dataclasses import replace

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits, lre
from pycompare.results.adjust import ADJUSTMENTS
from tests.conftest import golden, golden_matrix, golden_names, wide

CASES = golden_names("ranks_")
# García and Herrera (2008), Table 3: z and p; Table 5: adjusted p-values, printed to
# four digits, in the order Nemenyi (= Bonferroni), Holm, Shaffer, Bergmann-Hommel.
TABLE_3 = {
    ("C4.5", "Kernel"): (5.471, 4.487e-8),
    ("NaiveBayes", "Kernel"): (5.226, 1.736e-7),
    ("Kernel", "CN2"): (2.98, 0.0029),
    ("C4.5", "1-NN"): (2.817, 0.0048),
    ("1-NN", "Kernel"): (2.654, 0.008),
    ("1-NN", "NaiveBayes"): (2.572, 0.0101),
    ("C4.5", "CN2"): (2.49, 0.0128),
    ("NaiveBayes", "CN2"): (2.245, 0.0247),
    ("1-NN", "CN2"): (0.327, 0.744),
    ("C4.5", "NaiveBayes"): (0.245, 0.8065),
}
TABLE_5 = {
    ("C4.5", "Kernel"): (4.487e-7, 4.487e-7, 4.487e-7, 4.487e-7),
    ("NaiveBayes", "Kernel"): (1.736e-6, 1.563e-6, 1.042e-6, 1.042e-6),
    ("Kernel", "CN2"): (0.0288, 0.023, 0.0173, 0.0115),
    ("C4.5", "1-NN"): (0.0485, 0.0339, 0.0291, 0.0291),
    ("1-NN", "Kernel"): (0.0796, 0.0478, 0.0478, 0.0319),
    ("1-NN", "NaiveBayes"): (0.1011, 0.0506, 0.0478, 0.0319),
    ("C4.5", "CN2"): (0.1276, 0.0511, 0.0511, 0.0383),
    ("NaiveBayes", "CN2"): (0.2474, 0.0742, 0.0742, 0.0383),
    ("1-NN", "CN2"): (1.0, 1.0, 1.0, 1.0),
    ("C4.5", "NaiveBayes"): (1.0, 1.0, 1.0, 1.0),
}


def scores_of(case: dict) -> pc.Scores:
    return pc.Scores.from_wide(
        golden_matrix(case["input"]["X"]), metric="score", better="higher"
    )


def by_pair(result, column):
    table = result.table
    keys = zip(table["algorithm_1"], table["algorithm_2"], strict=True)
    return dict(zip(keys, table[column], strict=True))


def printed(value, digits=4):
    """Rounded as the paper prints it."""
    return float(f"{value:.3e}") if value < 1e-4 else round(value, digits)


@pytest.mark.parametrize("name", CASES)
def test_z_and_p_agree_with_r(name):
    case = golden(name)
    table = pc.rank_pairs(scores_of(case), adjust="none").table
    outputs = case["outputs"]
    z = np.atleast_1d(outputs["friedman_post_z"]["value"])
    assert_digits(table["statistic"], z, at_least=12)
    p = np.atleast_1d(outputs["friedman_post_p_upper"]["value"])
    # p-values around 1e-50 multiply the last digit of z by z^2.
    assert_digits(table["p_value"], p, at_least=12 if min(p) > 1e-20 else 11)


ADJUSTED = {
    "bonferroni": "adj_bonferroni",
    "holm": "adj_holm",
    "hochberg": "adj_hochberg",
    "hommel": "adj_hommel",
    "BH": "adj_BH",
    "BY": "adj_BY",
    "finner": "adj_finner_accurate",
    "holland": "adj_holland_accurate",
    "rom": "adj_rom_stepup_exact",
    "shaffer": "adj_shaffer_static_bruteforce",
    "shaffer-dynamic": "adj_shaffer_dynamic_containing_bruteforce",
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ADJUSTED)
def test_adjusted_p_agree_with_r(name, method):
    case = golden(name)
    if ADJUSTED[method] not in case["outputs"]:
        assert "k2" in name  # R's enumerations start at three algorithms
        return
    expected = case["outputs"][ADJUSTED[method]]["value"]
    expected = expected["p"] if isinstance(expected, dict) else expected
    got = pc.rank_pairs(scores_of(case), adjust=method).table["p_adjusted"]
    # The golden Rom is a bisection of R's uniroot; tails of 1e-49 lose one digit.
    wanted = {"rom": 7}.get(method, 11)
    assert_digits(got, np.atleast_1d(expected), at_least=wanted, what=method)


SCMAMP = {
    "finner": "adj_finner_scmamp",
    "holland": "adj_holland_scmamp",
    "li": "adj_li_scmamp",
    "shaffer": "adj_shaffer_static_scmamp",
    "bergmann-hommel": "adj_bergmann_hommel_scmamp",
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", SCMAMP)
def test_adjusted_p_agree_with_scmamp(name, method):
    case = golden(name)
    entry = case["outputs"][SCMAMP[method]]
    if "error" in entry:
        assert "k2" in name
        return
    options = {"monotone": True} if method == "bergmann-hommel" else {}
    got = pc.rank_pairs(scores_of(case), adjust=method, **options).table["p_adjusted"]
    # scmamp computes 1 - (1 - p)^x: absolute accuracy.
    digits = lre(got, np.atleast_1d(entry["value"]), floor=1e-3)
    assert digits.min() > 11


@pytest.mark.parametrize("name", CASES)
def test_nemenyis_p_agree_with_pmcmrplus(name):
    case = golden(name)
    got = pc.nemenyi(scores_of(case)).matrix("p_adjusted")
    found = case["outputs"]["nemenyi_PMCMRplus"]["value"]["p.value"]
    # R's ptukey has 8 digits in the centre, and 1 - ptukey absolute accuracy.
    assert_matrix_digits(got, golden_matrix(found), at_least=8, floor=1e-3)


def assert_matrix_digits(got, expected, at_least, floor):
    """The lower triangle of PMCMRplus; the other cells are empty there."""
    compared = 0
    for row in expected.index:
        for column in expected.columns:
            if not np.isnan(expected.loc[row, column]):
                digits = lre(
                    got.loc[row, column], expected.loc[row, column], floor=floor
                )
                assert digits > at_least, (row, column)
                compared += 1
    assert compared == len(got) * (len(got) - 1) // 2


@pytest.mark.parametrize("name", CASES)
def test_monotone_bergmann_hommel_agrees_with_r(name):
    case = golden(name)
    entry = case["outputs"].get("adj_bergmann_hommel_bruteforce")
    if entry is None:
        assert "k2" in name
        return
    got = pc.rank_pairs(scores_of(case), adjust="bergmann-hommel", monotone=True)
    expected = np.atleast_1d(entry["value"])
    assert_digits(got.table["p_adjusted"], expected, at_least=11)


@pytest.mark.parametrize("name", CASES)
def test_nemenyi_agrees_with_r(name):
    case = golden(name)
    got, outputs = pc.nemenyi(scores_of(case)), case["outputs"]
    p = np.atleast_1d(outputs["nemenyi_pairs_p_dfInf_upper"]["value"])
    # R's ptukey has absolute accuracy only.
    assert lre(got.table["p_adjusted"], p, floor=1e-3).min() > 8
    cd = outputs["nemenyi_CD_alpha_0.05_dfInf"]["value"]
    # R's qtukey stops at a relative step of 1e-4 .. 1e-7.
    assert_digits(got.critical_difference, cd, at_least=6)


def test_table_3_of_garcia_and_herrera(garcia_herrera):
    got = pc.rank_pairs(garcia_herrera, adjust="none")
    z, p = by_pair(got, "statistic"), by_pair(got, "p_value")
    for pair, (z_printed, p_printed) in TABLE_3.items():
        assert round(abs(z[pair]), 3) == z_printed
        assert printed(p[pair]) == p_printed


@pytest.mark.parametrize(
    ("place", "options"),
    [
        (0, {"adjust": "bonferroni"}),
        (1, {"adjust": "holm"}),
        (2, {"adjust": "shaffer"}),
        (3, {"adjust": "bergmann-hommel", "monotone": True}),
    ],
)
def test_table_5_of_garcia_and_herrera(garcia_herrera, place, options):
    got = by_pair(pc.rank_pairs(garcia_herrera, **options), "p_adjusted")
    for pair, values in TABLE_5.items():
        assert printed(got[pair]) == values[place], pair


def test_the_exact_closed_test_of_garcia_and_herreras_study(garcia_herrera):
    got = by_pair(pc.rank_pairs(garcia_herrera), "p_adjusted")
    assert round(got["1-NN", "NaiveBayes"], 6) == 0.030337
    assert round(got["1-NN", "Kernel"], 4) == 0.0319


def test_nemenyi_rejects_where_the_difference_reaches_cd(garcia_herrera):
    got = pc.nemenyi(garcia_herrera, alpha=0.03)
    beyond = got.table["estimate"].abs() >= got.critical_difference
    assert (got.rejected(0.03) == beyond).all()
    outside = (got.table["conf_low"] > 0) | (got.table["conf_high"] < 0)
    assert (outside == beyond).all()


@pytest.mark.parametrize("method", ["friedman", "aligned", "quade"])
def test_permutation_z_of_two_algorithms_squares_to_the_omnibus_statistic(method):
    x = np.random.default_rng(3).normal(size=(14, 2))
    pair = pc.rank_pairs(wide(x), method=method, std_error="permutation", adjust="none")
    z2 = pair.table["statistic"][0] ** 2
    if method == "quade":  # F = (n - 1) Q / (n (a - 1) - Q), as Iman-Davenport's
        f = pc.quade(wide(x)).statistic
        assert_digits(13 * z2 / (14 - z2), f, at_least=12)
    else:
        test = pc.friedman if method == "friedman" else pc.aligned_ranks
        assert_digits(z2, test(wide(x)).statistic, at_least=12)


@pytest.mark.parametrize("method", ["friedman", "aligned", "quade"])
def test_permutation_standard_error_is_that_of_permuted_tables(method):
    from pycompare.methods.ranks.known import positions_of

    rng = np.random.default_rng(12)
    x = rng.integers(0, 6, size=(8, 3)).astype(float)
    scores = wide(x)
    _, at = positions_of(scores, None, None, method, "permutation")
    differences = []
    for _ in range(4000):
        permuted = replace(scores, values=rng.permuted(x, axis=1)[:, :, None])
        _, other = positions_of(permuted, None, None, method, "permutation")
        differences.append((other.sums[0] - other.sums[1]) / other.unit)
    assert np.std(differences) == pytest.approx(at.std_errors[0, 1], rel=0.04)


def test_textbook_forms_of_garcia_2010_agree_with_scmamp():
    outputs = golden("ranks_sim_k8_n15")["outputs"]
    scores = scores_of(golden("ranks_sim_k8_n15"))
    for method in ("aligned", "quade"):
        got = pc.rank_pairs(
            scores, method=method, std_error="textbook", adjust="none"
        ).matrix("p_value")
        expected = golden_matrix(outputs[f"{method}_post_scmamp"]["value"])
        off = ~np.eye(8, dtype=bool)
        # scmamp's 2 (1 - pnorm(z)) has absolute accuracy.
        digits = lre(got.to_numpy()[off], expected.to_numpy()[off], floor=1e-3)
        assert digits.min() > 11


def test_control_compares_it_with_every_other(garcia_herrera):
    got = pc.rank_pairs(garcia_herrera, control="CN2", adjust="holm")
    assert set(got.table["algorithm_2"]) == {"CN2"}
    assert len(got.table) == 4
    everything = by_pair(pc.rank_pairs(garcia_herrera, adjust="none"), "p_value")
    raw = by_pair(got, "p_value")
    assert raw["C4.5", "CN2"] == everything["C4.5", "CN2"]
    assert_digits(
        got.table["p_adjusted"], pc.adjust(got.table["p_value"], "holm"), at_least=15
    )


def test_logical_adjustments_are_refused_with_a_control(garcia_herrera):
    for name in ("shaffer", "shaffer-dynamic", "bergmann-hommel", "nemenyi"):
        with pytest.raises(pc.InputError, match="all pairs"):
            pc.rank_pairs(garcia_herrera, control="CN2", adjust=name)


def test_unknown_control_is_refused_with_the_names_there_are(garcia_herrera):
    with pytest.raises(pc.InputError, match=r"'C4\.5', '1-NN'"):
        pc.rank_pairs(garcia_herrera, control="SVM", adjust="holm")


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_order_of_algorithms_and_blocks_changes_nothing(name):
    rng = np.random.default_rng(21)
    x = rng.integers(0, 8, size=(9, 5)) + np.arange(5.0)
    columns, rows = rng.permutation(5), rng.permutation(9)
    one = pc.rank_pairs(wide(x), adjust=name).matrix()
    names = [f"A{j + 1}" for j in columns]
    import pandas as pd

    other = pc.rank_pairs(
        pc.Scores.from_wide(
            pd.DataFrame(x[np.ix_(rows, columns)], columns=names),
            metric="score",
            better="higher",
        ),
        adjust=name,
    ).matrix()
    other = other.loc[one.index, one.columns]
    assert_digits(other, one, at_least=13, what=name)


def test_swapped_direction_mirrors_the_ranks():
    x = np.random.default_rng(14).normal(size=(10, 3))
    up = pc.rank_pairs(wide(x, better="higher"), adjust="holm").table
    down = pc.rank_pairs(wide(x, better="lower"), adjust="holm").table
    assert_digits(up["estimate"], -down["estimate"], at_least=13)
    assert_digits(up["p_adjusted"], down["p_adjusted"], at_least=15)


def test_identical_algorithms_do_not_differ():
    x = np.random.default_rng(15).normal(size=(10, 3))
    x[:, 1] = x[:, 0]
    got = by_pair(pc.rank_pairs(wide(x)), "p_adjusted")
    assert got["A1", "A2"] == 1


def test_all_tied_permutation_error_is_undefined_not_significant():
    got = pc.rank_pairs(wide(np.ones((5, 3))), std_error="permutation")
    assert got.table["p_adjusted"].isna().all()
    assert not got.rejected(0.05).any()
    assert got.notes


def test_matrix_signs_follow_rows_and_columns(garcia_herrera):
    got = pc.rank_pairs(garcia_herrera, adjust="holm")
    m = got.matrix("estimate")
    assert m.loc["C4.5", "Kernel"] < 0 < m.loc["Kernel", "C4.5"]
    low, high = got.matrix("conf_low"), got.matrix("conf_high")
    assert low.loc["Kernel", "C4.5"] == -high.loc["C4.5", "Kernel"]


def test_r_is_not_asked_to_list_the_partitions_of_many_algorithms():
    x = np.random.default_rng(16).normal(size=(6, 21))
    many, few = pc.rank_pairs(wide(x)), pc.rank_pairs(wide(x[:, :20]))
    assert many.r_call().arguments["adjust"] == ""
    assert "p_adjusted" not in many.r_values()
    assert few.r_call().arguments["adjust"] == "bergmann-hommel"
    assert pc.rank_pairs(wide(x), adjust="shaffer").repeatable


@pytest.mark.parametrize(
    "name", ["ranks_sim_k3_n10", "ranks_sim_k5_n30", "ranks_sim_k8_n15"]
)
def test_exact_p_of_pairs_agree_with_pmcmrplus(name):
    case = golden(name)
    got = pc.rank_pairs(scores_of(case), p_value="exact", adjust="none")
    found = case["outputs"]["frd_exact_PMCMRplus"]["value"]["p.value"]
    expected = golden_matrix(found)
    # PMCMRplus adds up from the centre: absolute accuracy.
    assert_matrix_digits(got.matrix("p_value"), expected, at_least=10, floor=1e-2)


def test_exact_p_of_two_algorithms_is_the_sign_test():
    from scipy import stats

    x = np.random.default_rng(17).normal(size=(9, 2))
    wins = int(np.sum(x[:, 0] > x[:, 1]))
    got = pc.rank_pairs(wide(x), p_value="exact", adjust="none").table["p_value"][0]
    assert_digits(got, stats.binomtest(wins, 9).pvalue, at_least=14)


def test_exact_p_of_pairs_is_that_of_permuted_tables():
    from pycompare.kernels.friedman_exact import pair_p_values
    from pycompare.kernels.ranks import midranks

    rng = np.random.default_rng(18)
    ranks = midranks(rng.integers(0, 4, size=(6, 4)).astype(float))
    exact = pair_p_values(ranks)[0, 1]
    observed = abs(ranks[:, 0].sum() - ranks[:, 1].sum())
    shuffled = rng.permuted(np.broadcast_to(ranks, (40_000, 6, 4)), axis=-1)
    sums = shuffled.sum(axis=1)
    share = np.mean(np.abs(sums[:, 0] - sums[:, 1]) >= observed)
    assert share == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 40_000))


def test_exact_p_refuses_large_tables_and_other_ranks(garcia_herrera):
    with pytest.raises(pc.DesignError, match="too many for exact"):
        pc.rank_pairs(
            wide(np.random.default_rng(1).normal(size=(900, 9))), p_value="exact"
        )
    with pytest.raises(pc.InputError, match="friedman"):
        pc.rank_pairs(garcia_herrera, method="quade", p_value="exact")
    with pytest.raises(pc.InputError, match="normal"):
        pc.rank_pairs(garcia_herrera, p_value="t")


@pytest.mark.parametrize("p_value", ["normal", "exact", "sign-flips"])
@pytest.mark.parametrize("method", ["friedman", "aligned", "quade"])
def test_the_smallest_p_is_that_of_one_order_in_all_blocks(method, p_value):
    if p_value == "exact" and method != "friedman":
        return
    rng = np.random.default_rng(7)
    for n, a in [(2, 4), (3, 3), (5, 4)]:
        # Further apart than blocks are: aligned ranks, too, are in one order.
        same = np.arange(a) + rng.random((n, 1)) + np.arange(n)[:, None] / 100
        tables = [same, *rng.random((6, n, a))]
        for adjust in ("holm", "hommel", "shaffer", "bonferroni", "nemenyi"):
            options = {"p_value": p_value, "method": method, "adjust": adjust}
            if adjust == "nemenyi" and p_value != "normal":
                continue
            made = [pc.rank_pairs(wide(x), **options) for x in tables]
            for found in made:
                assert (
                    found.as_columns()["p_adjusted"] >= found.least * (1 - 1e-9)
                ).all()
            p = made[0].as_columns()["p_adjusted"].min()
            if method == "aligned" and p_value == "normal":
                continue  # its order in one block is not that of all scores
            if adjust != "hommel":
                assert p == pytest.approx(made[0].least.min(), rel=1e-9)
