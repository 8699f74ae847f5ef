"""Where statsmodels and pingouin differ from us; see validation/DIFFERENCES.md."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from validation import cases as data

pytestmark = pytest.mark.filterwarnings("ignore")


def long(x):
    rows, columns = np.indices(x.shape)
    return pd.DataFrame({"b": rows.ravel(), "a": columns.ravel(), "y": x.ravel()})


def test_pingouins_friedman_f_has_the_degrees_of_freedom_of_kendall():
    import pingouin

    scores = data.scores(data.normal(10, 3, 1, 0.2))
    found = pingouin.friedman(
        long(scores.column()), dv="y", within="a", subject="b", method="f"
    ).iloc[0]
    ours = pc.friedman(scores).iman_davenport
    assert_digits(ours.statistic, found["F"], at_least=12)
    assert ours.df == (2, 18)
    assert (found["ddof1"], found["ddof2"]) == pytest.approx((1.8, 16.2))
    # Iman and Davenport (1980): F on (a - 1, (a - 1) (n - 1)).
    assert_digits(ours.p_value, stats.f.sf(found["F"], 2, 18), at_least=11)
    assert abs(found["p_unc"] / ours.p_value - 1) > 0.1


def test_pingouins_huynh_feldt_is_one_at_most_and_its_mauchly_has_rs_second_term():
    import pingouin

    n, a = 8, 4
    scores = data.scores(data.normal(n, a, 5, 0.2))
    table, roles = long(scores.column()), {"dv": "y", "within": "a", "subject": "b"}
    sphericity = pc.anova(scores).sphericity
    epsilon = pingouin.epsilon(table, **roles, correction="hf")
    assert_digits(epsilon, min(1, sphericity.huynh_feldt), at_least=11)
    _, w, _, _, p = pingouin.sphericity(table, **roles)
    assert_digits(sphericity.statistic, w, at_least=11)
    assert_digits(sphericity.p_value, mauchly_p(w, n, a, 3 * (a - 1)), at_least=11)
    assert_digits(p, mauchly_p(w, n, a, 3 * a), at_least=11)


def mauchly_p(w, n, a, linear):
    """Box's expansion with a given linear part of the second term's polynomial."""
    q, df = a - 1, n - 1
    rho = 1 - (2 * q**2 + q + 2) / (6 * q * df)
    second = (q + 2) * (q - 1) * (q - 2) * (2 * q**3 + 6 * q**2 + linear + 2)
    second /= 288 * (df * q * rho) ** 2
    f = q * (q + 1) / 2 - 1
    tails = stats.chi2.sf(-df * rho * np.log(w), [f, f + 4])
    return tails[0] + second * (tails[1] - tails[0])


def test_statsmodels_tukey_leaves_blocks_out():
    from statsmodels.stats.multicomp import pairwise_tukeyhsd

    scores = data.scores(data.normal(10, 3, 1))
    table = long(scores.column())
    theirs = pairwise_tukeyhsd(table["y"], table["a"]).pvalues
    one_way = pc.tukey(scores, blocked=False).table["p_adjusted"]
    assert_digits(theirs, one_way, at_least=9)
    blocked = pc.tukey(scores).table["p_adjusted"]
    assert (theirs > 5 * blocked).all()
