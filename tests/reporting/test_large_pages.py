"""Pages of many data sets, metrics and algorithms stay usable."""

import re
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.interop import rscript
from pycompare.designs.pair_methods import EXHAUSTIVE, MOST_EXHAUSTIVE
from pycompare.reporting.analyses.multiple_datasets import MOST_FOLDED
from pycompare.reporting.content import figures
from pycompare.reporting.render import html
from tests.conftest import wide
from tests.methods.over_datasets.many_folds import folds_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

SIZES = pc.Plan(n_train=90, n_test=10)
FEW, MANY = [3] * MOST_FOLDED, [3] * (MOST_FOLDED + 1)


def page_of(comparison, tmp_path):
    out = pc.report(comparison, tmp_path / "out")
    return (out / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("sizes", "folded_again"), [(FEW, 0), (MANY, 1)])
def test_many_data_sets_are_folded_once_more(sizes, folded_again, tmp_path):
    page = page_of(pc.compare(folds_of(sizes, 3), SIZES), tmp_path)
    n = len(sizes)
    assert page.count(f"to Data set d{n}, ") == folded_again
    assert len(re.findall(r"<h[34]>Data set d\d+</h", page)) == n


def test_every_place_of_a_page_is_there_once(tmp_path):
    metrics = {f"m{i}": "lower" for i in range(4)}
    page = page_of(pc.compare(folds_of([8], 3, metrics=metrics)), tmp_path)
    ids = re.findall(r' id="([^"]+)"', re.sub(r'src="[^"]*"', "", page))
    assert len(ids) == len(set(ids)) >= 9


def test_metrics_have_one_figure_each_if_there_are_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "_MOST_RESULTS", 2)
    metrics = {f"m{i}": "lower" for i in range(3)}
    plan = pc.Plan(blocks="datasets", compares="ranks")
    compared = {
        n: pc.compare(folds_of([1] * 6, 3, metrics=dict([*metrics.items()][:n])), plan)
        for n in (2, 3)
    }
    few, many = (page_of(one, tmp_path / str(n)) for n, one in compared.items())
    drawn = [
        sorted(p.name for p in (tmp_path / n / "out/figures").iterdir()) for n in "23"
    ]
    assert drawn[1] == [f"metric{i}_critical_difference.svg" for i in (1, 2, 3)]
    assert len(drawn[0]) >= 8
    said = "one figure, because there are 3 results. Reports of at most 2 results"
    assert said in many and "one figure, because" not in few


def test_a_picture_on_the_page_is_the_picture_of_the_file():
    svg = '<svg xmlns="http://a/b">\n <g id="100% #1 &amp; é"/>\n</svg>\n'
    uri = html.data_uri(svg)
    assert not set(uri[5:]) & set('<>"&#()\n') and "://" not in uri
    head, text = uri.split(",", 1)
    assert head == "data:image/svg+xml"
    one, other = (ElementTree.fromstring(t) for t in (svg, unquote(text)))
    assert one[0].attrib == other[0].attrib and one.tag == other.tag


@pytest.mark.parametrize("sizes", [{}, {"n_train": 90, "n_test": 10}])
def test_so_many_algorithms_have_defaults_that_take_no_hours(sizes):
    few, many = (
        pc.Plan(**sizes).settled(folds_of([3], a)).adjust
        for a in (MOST_EXHAUSTIVE, MOST_EXHAUSTIVE + 1)
    )
    assert EXHAUSTIVE in few and EXHAUSTIVE not in many
    assert many == tuple(n for n in few if n != EXHAUSTIVE) or many[0] == "holm"
    if not sizes:  # nothing is tested, and so nothing adjusted
        return
    plan = pc.Plan(adjust=("holm", EXHAUSTIVE), **sizes)
    assert EXHAUSTIVE in plan.settled(folds_of([3], MOST_EXHAUSTIVE + 1)).adjust


def test_the_plan_on_the_page_says_which_default_there_is_not(tmp_path):
    comparison = pc.compare(folds_of([4], MOST_EXHAUSTIVE + 1, effect=1.0), SIZES)
    page = page_of(comparison, tmp_path)
    assert f"With over {MOST_EXHAUSTIVE} algorithms, Holm replaces" in page
    assert comparison.analyses[0].ranks.superiority.adjust == "holm"


@pytest.mark.parametrize(
    ("compares", "method", "words"),
    [
        ("ranks", "max-t", "max-T test"),
        ("typical-difference", "step-down-flips", "step-down sign flips test"),
    ],
)
def test_so_many_that_random_flips_compare_have_a_page(
    compares, method, words, tmp_path
):
    scores = wide(np.random.default_rng(4).normal(size=(15, MOST_EXHAUSTIVE + 1)))
    comparison = pc.compare(scores, pc.Plan(blocks="datasets", compares=compares))
    assert (comparison.plan.decisive, comparison.plan.seed) == (method, 0)
    assert words in page_of(comparison, tmp_path)


def test_ranks_of_so_many_are_flipped_together_and_keep_bergmann_hommel_beside():
    plan = pc.Plan(compares="ranks").settled(folds_of([1] * 3, MOST_EXHAUSTIVE + 1))
    assert plan.adjust[:2] == ("max-t", EXHAUSTIVE)
    assert plan.t_method(MOST_EXHAUSTIVE + 1) == "holm"
    assert plan.t_method(MOST_EXHAUSTIVE) == EXHAUSTIVE


@pytest.mark.parametrize(
    ("x", "code"), [(0.0, "0"), (-0.0, "-0"), (1.0, "1"), (0.1, "0.1"), (-2.5, "-2.5")]
)
def test_numbers_that_are_remembered_keep_their_sign(x, code):
    assert [rscript.number(x), rscript.number(x)] == [code, code]
