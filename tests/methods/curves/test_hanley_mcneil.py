import numpy as np
import pytest
from scipy import special, stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import hanley_mcneil_table as table
from tests.methods.curves.curves import cases

COLUMNS = "1962 1944 1933 1916 1898 1873 1847 1811 1769 1712 1632 1485"
ROWS = """
19 35 52 71 90 109 127 145 167 187 206 227 244 268 286 308 330 350 373 397 417 440 461
483 507 531 555 579 603 627 652 679 704 730 756 782 808 836 864 890 920 949 976 1006
1036
"""


def two(**options):
    label, scores = cases(k=2, strength=2.0)
    return pc.hanley_mcneil(label, scores, positive="ill", **options)


def binormal(correlation, area):
    """Correlation of two AUCs for large samples of binormal scores."""
    x, w = np.polynomial.hermite_e.hermegauss(50)
    w /= w.sum()
    shift = np.sqrt(2) * special.ndtri(area)
    y = correlation * x[:, None] + np.sqrt(1 - correlation**2) * x
    g = special.ndtr(x + shift)
    joint = np.sum(w[:, None] * w * g[:, None] * special.ndtr(y + shift))
    mean = w @ g
    return (joint - mean**2) / (w @ g**2 - mean**2)


def test_printed_table_is_near_the_binormal_correlation():
    wanted = [[binormal(c, a) for a in table.AREAS] for c in table.CORRELATIONS]
    assert np.max(np.abs(table.TABLE - wanted)) < 0.025


def test_printed_table_rises_with_the_correlation_and_falls_with_the_area():
    assert (np.diff(table.TABLE, axis=0) > -1e-9).all()
    assert (np.diff(table.TABLE, axis=1) < 1e-9).all()


def test_printed_table_has_its_sums_of_columns_and_rows():
    """An entry that is altered changes one of each."""
    hundredths = np.rint(table.TABLE * 100).astype(int)
    assert hundredths.sum(axis=0).tolist() == list(map(int, COLUMNS.split()))
    assert hundredths.sum(axis=1).tolist() == list(map(int, ROWS.split()))


def test_printed_entries_are_met_and_joined_by_straight_lines():
    look = table.correlation_of_areas
    assert look(0.5, 0.8) == 0.45
    assert look(0.9, 0.975) == 0.82
    assert_digits(look(0.51, 0.8), (0.45 + 0.47) / 2, at_least=14)
    assert_digits(look(0.5, 0.8125), (0.45 + 0.44) / 2, at_least=14)
    assert look(0.0, 0.8) == 0 and look(0.01, 0.7) == 0.01
    assert look(0.5, 0.6) == look(0.5, 0.7) and look(0.5, 0.99) == look(0.5, 0.975)


def test_z_is_made_of_the_parts_it_reports():
    label, scores = cases(k=2, strength=2.0)
    found = two()
    one, other = (
        pc.auc_interval(label, scores[c], positive="ill", method="hanley-mcneil")
        for c in scores
    )
    ill = label == "ill"
    among = [stats.pearsonr(*scores[side].to_numpy().T)[0] for side in (ill, ~ill)]
    assert_digits(
        [found.correlation_positive, found.correlation_negative], among, at_least=13
    )
    area = (one.estimate + other.estimate) / 2
    r = table.correlation_of_areas(np.mean(among), area)
    assert_digits(found.r, r, at_least=13)
    se, se2 = one.std_error, other.std_error
    error = np.sqrt(se**2 + se2**2 - 2 * r * se * se2)
    z = (one.estimate - other.estimate) / error
    assert_digits(found.statistic, z, at_least=12)
    assert_digits(found.p_value, 2 * stats.norm.sf(abs(z)), at_least=12)


def test_kendall_is_tau_b():
    label, scores = cases(k=2, grid=1, strength=2.0)
    found = pc.hanley_mcneil(label, scores, positive="ill", correlation="kendall")
    ill = label == "ill"
    tau = stats.kendalltau(scores.C1[ill], scores.C2[ill]).statistic
    assert found.correlation_positive == tau


def test_uncorrelated_areas_add_their_variances():
    found = two(r=0.0)
    assert_digits(
        found.std_error, np.hypot(found.std_error_1, found.std_error_2), at_least=14
    )
    assert np.isnan(found.correlation_positive) and found.correlation == "given"


def test_one_sided_p_values_add_up_to_one():
    total = two(alternative="less").p_value + two(alternative="greater").p_value
    assert_digits(total, 1.0, at_least=15)
    assert two(alternative="less").conf_low == -np.inf


def test_areas_outside_the_table_are_said():
    label, scores = cases(k=2, strength=0.1)
    found = pc.hanley_mcneil(label, scores, positive="ill")
    assert "outside the table" in found.notes[0]


def test_two_perfect_scores_cannot_be_tested():
    data = {"a": [1, 2, 3, 5], "b": [2, 1, 5, 4]}
    found = pc.hanley_mcneil([0, 0, 1, 1], data, positive=1, r=0.5)
    assert np.isnan([found.statistic, found.p_value, found.conf_low]).all()
    assert "cannot be tested" in found.notes[0]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"correlation": "spearman"}, pc.InputError, "'pearson' or 'kendall'"),
        ({"r": 1.0}, pc.InputError, "r=1.0"),
        ({"alternative": "both"}, pc.InputError, "two-sided"),
    ],
)
def test_bad_options_are_refused(options, error, says):
    with pytest.raises(error, match=says):
        two(**options)


def test_correlations_outside_the_table_need_r():
    label, scores = cases(k=1, strength=2.0)
    ill = label == "ill"
    opposed = {"a": scores.C1, "b": 4.0 * ill - scores.C1}
    with pytest.raises(pc.DesignError, match="is -1; the table"):
        pc.hanley_mcneil(label, opposed, positive="ill")
    constant = {"a": scores.C1, "b": 1.0 * ill}
    with pytest.raises(pc.DesignError, match="undefined"):
        pc.hanley_mcneil(label, constant, positive="ill")
    infinite = {"a": scores.C1, "b": np.where(ill, np.inf, scores.C1)}
    with pytest.raises(pc.InputError, match="correlation='kendall'"):
        pc.hanley_mcneil(label, infinite, positive="ill")


def test_three_classifiers_are_refused():
    label, scores = cases(k=3)
    with pytest.raises(pc.InputError, match="compares two"):
        pc.hanley_mcneil(label, scores, positive="ill")
