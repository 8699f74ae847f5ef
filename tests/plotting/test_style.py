from __future__ import annotations

import dataclasses
import hashlib
import importlib
import os
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Event
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes

import pycompare as pc
from pycompare import plotting, sizes
from pycompare.plotting import style
from tests.methods.multireader.readers import simulated
from tests.methods.over_datasets.many import counts
from tests.plotting.looking import random_scores, two_metrics
from tests.predictions import predictions
from tests.sizes.simulation.toy import Toy
from validation.checks.models import designed

NASTY = (
    "$x_1$",
    "<script>alert(1)</script>",
    "a & b",
    "-- \\frac{1}{0} %",
    "\N{GRINNING FACE} \u6df1\u5c64\u5b66\u7fd2",
    "\u202eright to left\ufffe",
)

USERS = {
    "font.family": "serif",
    "font.size": 30,
    "text.usetex": True,
    "svg.fonttype": "none",
    "axes.facecolor": "black",
    "figure.facecolor": "red",
    "lines.linewidth": 9,
    "axes.spines.top": True,
    "xtick.direction": "in",
    "axes.grid": True,
    "figure.autolayout": True,
    "image.cmap": "jet",
}
"""Settings of a user, which change no picture."""

DIGEST = """
import hashlib, sys
import pycompare.plotting
assert "matplotlib" not in sys.modules
import matplotlib
from tests.plotting.test_style import USERS, pictures
matplotlib.rcParams.update(USERS)
before = matplotlib.rcParams.copy()
print([hashlib.sha256(svg.encode()).hexdigest() for svg in pictures()])
assert matplotlib.rcParams.copy() == before
assert "matplotlib.pyplot" not in sys.modules
"""


def pictures() -> list[str]:
    """All pictures of one comparison as SVG."""
    scores = random_scores(30, len(NASTY), names=list(NASTY))
    result = pc.nemenyi(scores)
    posterior = pc.bayesian_signed_rank(scores, rope=0.1, draws=400)
    axes = [
        plotting.critical_difference(result),
        plotting.p_matrix(result),
        plotting.mean_ranks(result),
        plotting.distributions(scores),
        plotting.pair_graph(result),
        plotting.dominance(result),
        *pictures_of_linear_models(scores),
        *pictures_of_formulas(),
        *pictures_of_predictions(),
        *pictures_of_thresholds(),
        *pictures_of_readers(),
        plotting.rank_intervals(pc.rank_sets(pc.max_t(scores, seed=1))),
        plotting.performance_profiles(scores),
        plotting.comparison_matrix(result, scores),
        plotting.win_probabilities(pc.superiority(scores)),
        plotting.posterior_bars(posterior),
        plotting.posterior_triangle(posterior),
        plotting.heat_map(scores),
        plotting.bump_chart(scores),
        *pictures_of_challenges(scores),
        plotting.simulated(pc.simulate(Toy(), seed=5), x="p"),
        plotting.power_curve(pc.power(sizes.Sign(win=0.8), n=[10, 20], trials=50)),
        *pictures_of_runs(),
        plotting.item_map(pc.item_table(answered())),
    ]
    return [style.to_svg(ax.figure) for ax in axes]


def pictures_of_challenges(scores: pc.Scores) -> list:
    ranked = pc.challenge(scores, ranking="rank-then-aggregate", resamples=50)
    draw = (plotting.podium, plotting.blob_plot, plotting.bump_chart)
    return [one(ranked) for one in draw]


def pictures_of_runs() -> list[Axes]:
    """Pictures of runs of algorithms with nasty names."""
    runs = np.random.default_rng(3).random((5, len(NASTY), 1, 3))
    scores = pc.Scores(
        values=runs.mean(axis=-1), runs=runs, replicates=("a", "b", "c"),
        blocks=tuple("uvwxy"), algorithms=tuple(NASTY),
        metrics=(pc.Metric(NASTY[0], "higher"),),
    )  # fmt: skip
    return [
        plotting.run_intervals(pc.run_aggregates(scores)),
        plotting.run_profiles(pc.run_profiles(scores, draws=200)),
    ]


def answered() -> pc.Scores:
    """Return right and wrong answers to items with awkward names."""
    names = tuple(f"{NASTY[j % len(NASTY)]} {j}" for j in range(15))
    chance = np.random.default_rng(5).random((40, 1)) + np.arange(15) / 30
    right = chance > np.random.default_rng(6).random((40, 15))
    return pc.Scores(
        values=right[:, :, None].astype(float),
        blocks=tuple(f"{NASTY[i % len(NASTY)]} {i}" for i in range(40)),
        algorithms=names,
        metrics=(pc.Metric("accuracy", "higher"),),
    )


def pictures_of_linear_models(scores: pc.Scores) -> list[Axes]:
    two = two_metrics(10, len(NASTY), names=list(NASTY))
    anova, pair = pc.anova(scores), NASTY[:2]
    return [
        plotting.mean_differences(pc.tukey(scores)),
        plotting.residuals(anova),
        plotting.normal_quantiles(anova),
        plotting.paired_histograms(scores, algorithms=pair),
        plotting.ellipses(two),
        plotting.difference_ellipse(two, algorithms=pair),
        plotting.canonical_variates(pc.manova(two)),
    ]


def pictures_of_formulas() -> list[Axes]:
    frame = designed(1)
    names = dict(zip(("L0", "L1", "L2"), NASTY[:3], strict=True))
    frame = frame.assign(learner=frame["learner"].replace(names))
    found = pc.linear_model(frame, "cbind(error, auc) ~ learner * prep")
    means = found.emmeans(("learner", "prep"), response="error")
    return [
        plotting.effects(means),
        plotting.interaction(means),
        plotting.hypothesis_ellipse(found, "learner:prep"),
    ]


def pictures_of_predictions() -> list[Axes]:
    names = [(name, 0.4 * j) for j, name in enumerate(NASTY)]
    data = predictions(folds=4, algorithms=names)
    agreement = pc.agreement(data.measure(["error", "auc"]))
    first, *_ = agreement.examples()["case"]
    folds = pc.pairwise_t(data.measure(["auc"]), metric="auc")
    areas = {name: [pc.mean_curve(data, algorithm=name).area] for name in NASTY}
    return [
        plotting.agreement_example(agreement, data, case=first),
        plotting.auc_intervals(areas),
        plotting.auc_differences({"over folds": {"a & b": folds}}, pairs=[NASTY[:2]]),
        plotting.roc_curves(data, thresholds=[0.5], hull=True),
        plotting.pr_curves(data, thresholds=[0.5]),
        plotting.cost_curves(data),
        plotting.decision_curves(nasty_benefits()),
        plotting.curve_differences(nasty_curves()),
    ]


def nasty_curves() -> Any:
    """Differences of curves of models with nasty names."""
    rng = np.random.default_rng(7)
    label = np.arange(60) % 2
    scores = {name: rng.random(60) for name in NASTY}
    return [
        pc.curve_dominance(
            label,
            {first: scores[first], second: scores[second]},
            positive=1,
            resamples=199,
            n_pairs=len(NASTY) - 1,
        )
        for first, second in pairwise(NASTY)
    ]


def nasty_benefits() -> Any:
    """Net benefits of models with nasty names."""
    rng = np.random.default_rng(6)
    models = {name: rng.random(60) for name in NASTY}
    label = np.arange(60) % 2
    return pc.net_benefit(label, models, positive=1, threshold=[0.2, 0.4, 0.6])


def pictures_of_thresholds() -> list[Axes]:
    scores = counts(3, b=8, a=len(NASTY), thresholds=(0.0, 0.4, 0.6))
    found = pc.threshold_wins(dataclasses.replace(scores, algorithms=tuple(NASTY)))
    return [plotting.threshold_grid(found), plotting.threshold_pairs(found)]


def pictures_of_readers() -> list[Axes]:
    names = NASTY[1:]  # scopes have room for the pairs of five
    plain = simulated(t=len(names), r=3, n=24)
    ratings = dataclasses.replace(plain, modalities=names)
    found = pc.mrmc(ratings)
    return [
        plotting.reader_curves(ratings),
        plotting.scopes_of_conclusions(found),
        plotting.variance_components(found),
    ]


@pytest.fixture(scope="module")
def svgs() -> list[str]:
    return pictures()


def test_pictures_are_well_formed_xml_whatever_the_names(svgs):
    for svg in svgs:
        root = ElementTree.fromstring(svg.encode())
        assert root.tag.endswith("svg")
        assert not [node for node in root.iter() if node.tag.endswith("script")]


def test_pictures_need_no_font(svgs):
    for svg in svgs:
        root = ElementTree.fromstring(svg.encode())
        assert not [node for node in root.iter() if node.tag.endswith("}text")]


def test_every_picture_is_among_them(svgs):
    # A bump chart is drawn of metrics and of rankings.
    assert len(svgs) == len(set(plotting.__all__) - {"save"}) + 1


def test_ids_are_unique_within_a_picture(svgs):
    for svg in svgs:
        nodes = ElementTree.fromstring(svg.encode()).iter()
        ids = [node.get("id") for node in nodes if node.get("id")]
        assert len(ids) == len(set(ids))


def test_bytes_are_the_same_in_every_process_whatever_the_users_settings(svgs):
    """The settings stay as they were; hashes of texts are others than here."""
    wanted = [hashlib.sha256(svg.encode()).hexdigest() for svg in svgs]
    seed = "4242" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    done = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(wanted)


def test_png_is_written():
    figure = plotting.distributions(random_scores(5, 2)).figure
    png = style.to_png(figure, dpi=50)
    assert png.startswith(b"\x89PNG")
    assert png == style.to_png(figure, dpi=50)


def test_only_the_warning_about_glyphs_is_silenced():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with style.quiet_glyphs():
            warnings.warn("Glyph 1 (x) missing from font(s) DejaVu Sans.", stacklevel=1)
            warnings.warn("something else", stacklevel=1)
    assert [str(w.message) for w in caught] == ["something else"]


def test_a_pictures_name_is_the_function_even_after_its_file_was_imported():
    for name in plotting.__all__:
        module = importlib.import_module(f"pycompare.plotting.{name}")
        assert getattr(plotting, name) is getattr(module, name)
    assert set(plotting.__all__) <= set(dir(plotting))
    with pytest.raises(AttributeError, match="no attribute 'pie'"):
        _ = plotting.pie


def test_short_names_stay_as_they_are():
    assert style.short_labels(["a", "C4.5", "x" * 32]) == ["a", "C4.5", "x" * 32]


def test_long_names_are_shortened_in_the_middle():
    (label,) = style.short_labels(["begin" + "x" * 290 + "finish"])
    assert len(label) == 32
    assert label.startswith("begin")
    assert label.endswith("finish")
    assert "\N{HORIZONTAL ELLIPSIS}" in label


def test_names_that_would_read_alike_are_numbered():
    names = [f"{'a' * 40}{i}{'z' * 40}" for i in range(12)]
    labels = style.short_labels([*names, "b"])
    assert len(set(labels)) == 13
    assert all(len(label) <= 32 for label in labels)
    assert labels[0].endswith(" #1")
    assert labels[11].endswith(" #12")


def test_numbers_avoid_names_that_exist():
    alike = ["a" * 40 + i + "z" * 40 for i in "12"]
    first = style.short_labels(alike)[0]
    labels = style.short_labels([*alike, first])
    assert len(set(labels)) == 3


def test_wide_characters_count_twice():
    (label,) = style.short_labels(["\U0001f600" * 100])
    assert len(label) <= 17


def test_characters_that_the_font_lacks_are_code_points():
    assert style.printable("a\u6df1b\u65e5") == "a[U+6DF1]b[U+65E5]"
    assert style.printable("é שלום 😀 χ²") == "é שלום 😀 χ²"


def test_accents_are_not_torn_from_their_letters():
    (label,) = style.short_labels(["e\u0301" * 100])
    head, tail = label.split("\N{HORIZONTAL ELLIPSIS}")
    assert tail.startswith("e")
    assert head.startswith("e")


def test_what_cannot_be_drawn_is_replaced_and_what_is_invisible_dropped():
    assert (
        style.printable(" a\tb\u00a0c\u202e\u200dd\x00 ")
        == "a b cd\N{REPLACEMENT CHARACTER}"
    )


@pytest.mark.parametrize("exponent", [-320, -300, -10, -4, 6, 20, 300])
def test_units_bring_any_size_to_a_readable_one(exponent):
    values = np.array([1.0, 2.5, 9.0]) * float(f"1e{exponent}")
    units = style.units_of(values)
    assert units.exponent == exponent
    assert units.text == f" (\N{MULTIPLICATION SIGN} 1e{exponent})"
    # Subnormal numbers have few digits of their own.
    accuracy = 1e-12 if exponent > -300 else 1e-3
    assert units.values(values) == pytest.approx([1.0, 2.5, 9.0], rel=accuracy)


@pytest.mark.parametrize(
    "values", [[0.0, 0.0], [], [np.nan], [0.001, 1e5], [-3.0, 2.0]]
)
def test_ordinary_numbers_keep_their_units(values):
    assert style.units_of(values) == style.AxisUnits()


def test_nearly_equal_numbers_are_shown_from_an_offset():
    units = style.units_of([1e6 + 1, 1e6 + 2, 1e6 + 4])
    assert units == style.AxisUnits(1e6, "1e+06", 0)
    assert units.text == " \N{MINUS SIGN} 1e+06"
    assert list(units.values([1e6 + 1, 1e6 + 4])) == [1.0, 4.0]
    assert style.units_of([-5.00001, -5.00002]).text.startswith(" + 5.0000")


def test_widths_are_those_that_are_drawn():
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.font_manager import FontProperties

    renderer = RendererAgg(10, 10, 720)
    font = FontProperties(family=[style.FONT], size=9.0)
    text = "gradient boosting, depth 10"
    width, _, _ = renderer.get_text_width_height_descent(text, font, False)
    assert style.text_width(text) == pytest.approx(width / 10, rel=0.01)


def test_lines_are_wrapped_to_the_width():
    text = "words of several lengths that must be broken into lines " * 5
    rows = style.wrap(text, 150.0)
    assert " ".join(rows) == text.strip()
    assert max(style.text_width(row, style.SMALL) for row in rows) <= 150.0


def test_settings_hold_in_every_thread_and_are_the_users_afterwards():
    entered, left = Event(), Event()

    def other():
        with style.context():
            entered.set()
            left.wait(60)
            return matplotlib.rcParams["font.size"]

    before = matplotlib.rcParams["font.size"]
    with ThreadPoolExecutor(1) as pool:
        with style.context():
            found = pool.submit(other)
            # Settings that two threads enter at once are restored in the wrong order.
            is_early = entered.wait(0.3)
        left.set()
        assert not is_early
        assert found.result() == style.SIZE != before
    assert matplotlib.rcParams["font.size"] == before
