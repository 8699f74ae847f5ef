from functools import partial
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.methods.orders.orderings import Ordering, ordering_html, ordering_text
from tests.conftest import wide

STRANGE = ("<b>bold</b>", "a & b", "名前", '"quoted"')


def two_metrics(seed=0, a=4, b=12, names=None, spread=0.6):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(b, a, 2)) + rng.normal(size=(b, 1, 1))
    values += spread * np.arange(a)[:, None] * [1, -0.5]
    return pc.Scores(
        values,
        tuple(f"f{i}" for i in range(b)),
        tuple(names or [f"A{j}" for j in range(a)]),
        (pc.Metric("error", "lower"), pc.Metric("tpr", "higher")),
    )


def made(algorithms, groups, better="lower"):
    return Ordering(
        metric=pc.Metric("error", better),
        algorithms=tuple(algorithms),
        means=tuple(float(i) for i in range(len(algorithms))),
        groups=tuple(map(tuple, groups)),
        method="",
        adjust="",
    )


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_best_first_and_groups_are_the_cliques_of_the_metric(seed, a):
    scores = two_metrics(seed, a)
    found = pc.orderings(scores)
    for one in found.orderings:
        means = scores.column(one.metric.name).mean(axis=0)
        best = np.sort(means)
        if one.metric.better == "higher":
            best = best[::-1]
        np.testing.assert_allclose(one.means, best, rtol=1e-14)
        pairs = pc.hotelling_pairs(scores, metrics=[one.metric.name])
        expected = {frozenset(group) for group in pc.cliques(pairs)}
        assert {frozenset(group) for group in one.groups} == expected
        for group in one.groups:
            places = [one.algorithms.index(name) for name in group]
            assert places == sorted(places)


def test_groups_of_a_multivariate_comparison_stand_in_every_metric():
    scores = two_metrics(1)
    pairs = pc.hotelling_pairs(scores)
    found = pc.orderings(scores, pairs=pairs)
    assert found.shared
    groups = {frozenset(g) for g in pc.cliques(pairs)}
    assert groups
    for one in found.orderings:
        assert {frozenset(g) for g in one.groups} == groups


def test_any_function_of_one_metric_may_make_the_pairs():
    scores = two_metrics(2)
    tukey = pc.orderings(scores, pairs=pc.tukey)
    assert tukey.orderings[0].method == "Tukey's HSD"
    expected = pc.cliques(pc.tukey(scores, metric="error"))
    assert {frozenset(g) for g in tukey.orderings[0].groups} == set(
        map(frozenset, expected)
    )
    holm = pc.orderings(scores, pairs=partial(pc.pairwise_t, adjust="holm"))
    assert holm.orderings[1].adjust == "holm"


def test_the_adjustment_of_the_paired_t_tests_can_be_chosen():
    found = pc.orderings(two_metrics(3), adjust="holm", metrics=["tpr"])
    assert [one.metric.name for one in found.orderings] == ["tpr"]
    assert found.orderings[0].adjust == "holm"


def test_text_underlines_groups_and_dots_what_does_not_belong():
    one = made(["svm", "k", "c45"], [["svm", "k"], ["svm", "c45"]])
    assert ordering_text(one, 4).splitlines() == [
        "error, lower is better",
        "svm  k      c45",
        "0    1.000  2.000",
        "----------",
        "---.........-----",
    ]


def test_text_says_if_there_is_no_group():
    assert ordering_text(made(["a", "b"], []), 4).endswith("all pairs differ)")


def test_wide_letters_keep_the_columns():
    lines = ordering_text(made(["名前", "b"], [["名前", "b"]]), 4).splitlines()
    assert lines[2] == "0     1.000"
    assert lines[3] == "-----------"


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.labels = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.labels += [v for k, v in attrs if k == "aria-label"]

    def handle_data(self, data):
        self.texts.append(data)


def test_names_are_data_in_html():
    one = made(STRANGE, [STRANGE[:2], STRANGE[1:]])
    reader = Reader()
    reader.feed(ordering_html(one, 4))
    assert set(reader.tags) == {
        "table", "caption", "thead", "tbody", "tr", "th", "td"
    }  # fmt: skip
    assert all(name in reader.texts for name in STRANGE)
    assert reader.labels == [
        *(f"{name} belongs to group 1" for name in STRANGE[:2]),
        *(f"{name} belongs to group 2" for name in STRANGE[1:]),
    ]


def test_the_frame_has_place_mean_and_groups():
    found = pc.orderings(two_metrics(4))
    table = found.to_frame()
    assert list(table.columns) == ["metric", "place", "algorithm", "mean", "groups"]
    assert table["place"].tolist() == [1, 2, 3, 4] * 2
    first = found.orderings[0]
    rows = table[table["metric"] == "error"]
    for row in rows.itertuples():
        numbers = [int(k) for k in row.groups.split(", ") if k]
        assert numbers == [
            k for k, g in enumerate(first.groups, 1) if row.algorithm in g
        ]  # fmt: skip
    assert "error, lower is better" in found.summary()
    assert found._repr_html_().count("<table") == 2


def test_missing_cells_have_the_means_that_the_pairs_adjust():
    values = np.random.default_rng(5).normal(size=(8, 3)) + np.arange(3)
    values[0, 1] = np.nan
    scores = wide(values, "lower", missing="model")
    plain = pc.orderings(scores).orderings[0]
    adjusted = pc.orderings(scores, pairs=pc.tukey).orderings[0]
    by_name = dict(zip(plain.algorithms, plain.means, strict=True))
    assert by_name["A2"] == pytest.approx(np.nanmean(values[:, 1]))
    by_name = dict(zip(adjusted.algorithms, adjusted.means, strict=True))
    expected = pc.tukey(scores).means["A2"]
    assert by_name["A2"] == pytest.approx(expected)
    assert expected != pytest.approx(np.nanmean(values[:, 1]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["auc"]}, "no metric 'auc'"),
        ({"adjust": "holms"}, "did you mean"),
        ({"adjust": "holm", "pairs": pc.tukey}, "leave one of the two out"),
        ({"pairs": pc.anova}, "must return all pairs"),
        ({"pairs": partial(pc.pairwise_t, control="A1")}, "control"),
        ({"alpha": 1}, "alpha"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        pc.orderings(two_metrics(6), **options)


def test_pairs_of_other_algorithms_are_refused():
    other = pc.tukey(two_metrics(7, names=list("wxyz")), metric="error")
    with pytest.raises(InputError, match="compare the same algorithms"):
        pc.orderings(two_metrics(7), pairs=other)


def test_no_scores_are_refused():
    with pytest.raises(InputError, match="expected Scores"):
        pc.orderings(pd.DataFrame())
