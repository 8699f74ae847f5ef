"""The acceptance checks of report pages in a real browser, at 1280 and 400 px.

Six pages have the shapes of the comparisons that pages are designed for, a seventh has
two metrics. What single blocks say is checked in ``test_first_screen.py``, what a
browser does with any page in ``test_browser.py``.
"""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

import pycompare as pc
from docs.six_pages import PAGES, many
from pycompare.plotting.svg import THEME

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ASKED = Path(__file__).with_name("acceptance.js").read_text().partition("\n(")[2]
ASKED = f"({ASKED.strip()}"


class Limits(NamedTuple):
    """Pixels of height at 1280 and at 400 px, pages of A4, bytes."""

    wide: int
    narrow: int
    pages: int
    size: int


FEW, SEVERAL = Limits(1900, 3300, 2, 150_000), Limits(2600, 4700, 3, 300_000)
LARGE = Limits(3200, 5200, 3, 500_000)
LIMITS = {
    "example": SEVERAL,
    "many": LARGE,
    "two_models": FEW,
    "data_sets": SEVERAL,
    "readers": FEW,
    "interaction": SEVERAL,
    "two_metrics": LARGE,
}


def two_metrics():
    """Return five algorithms and two metrics, in which the decisions differ."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 5, 2)) * 0.05 + 0.7
    x[:, :, 0] += 0.03 * np.arange(5)
    x[:, :, 1] -= 0.02 * np.arange(5)
    scores = pc.Scores(
        x,
        tuple(f"d{i}" for i in range(30)),
        ("C4.5", "1-NN", "NaiveBayes", "Kernel", "CN2"),
        (pc.Metric("accuracy", "higher"), pc.Metric("error", "lower")),
    )
    return partial(pc.report, pc.compare(scores, pc.Plan(blocks="datasets")))


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="module", params=LIMITS)
def made(request, tmp_path_factory):
    """A name and the file of its page."""
    write = {**PAGES, "two_metrics": two_metrics}[request.param]()
    folder = write(tmp_path_factory.mktemp("pages") / "report")
    return request.param, folder / "report.html"


@pytest.fixture(scope="module")
def tab(browser, made):
    """The page, loaded once."""
    page = browser.new_context(bypass_csp=True).new_page()
    page.goto(made[1].as_uri())
    yield page
    page.context.close()


@pytest.fixture
def opened(tab):
    """Return the page at a width."""

    def at(width):
        tab.set_viewport_size({"width": width, "height": 900})
        return tab

    return at


def asked(page, name, *values):
    """Return what a function of ``acceptance.js`` finds on a page."""
    return page.evaluate(f"(values) => {ASKED}.{name}(...values)", list(values))


def test_the_page_is_no_longer_and_no_larger_than_planned(made, opened):
    name, file = made
    limits, height = LIMITS[name], "document.documentElement.scrollHeight"
    assert opened(1280).evaluate(height) <= limits.wide
    assert opened(400).evaluate(height) <= limits.narrow
    assert file.stat().st_size <= limits.size
    printed = opened(1280).pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= limits.pages
    if name == "many":
        assert opened(400).locator(".forest tbody tr").count() == 10


@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_is_as_wide_as_the_window(opened, width):
    page = opened(width)
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [1280, 400])
def test_no_word_is_broken(opened, width):
    """Names of the user break only if they are wider than their column."""
    assert asked(opened(width), "words") == []


def test_estimate_interval_and_p_are_in_sight_on_a_telephone(made, opened):
    page = opened(400)
    rows = asked(page, "shown")
    assert rows and all(rows)
    if made[0] != "two_metrics":  # its answers come first, then its figures
        first = page.locator(".forest tbody tr").first.bounding_box()
        assert first["y"] + first["height"] <= 900  # without any scrolling
    estimates = page.locator(".forest tbody tr .d").all_inner_texts()
    assert any(re.search(r"\d \[\u2212?\d", text) for text in estimates)


@pytest.mark.parametrize("font", ["DejaVu Sans", "Arial, Liberation Sans", "Inter", ""])
def test_no_texts_of_a_picture_overlap(opened, font):
    found, read = asked(opened(1280), "pictures", font)
    assert found == [] and all(read)


@pytest.mark.parametrize("width", [1280, 640, 400, 360])
def test_no_texts_of_the_forest_overlap_and_zero_is_over_its_tick(opened, width):
    assert asked(opened(width), "forest") == []


def test_the_page_runs_no_code_and_links_only_files_of_the_report(made, opened):
    told = asked(opened(1280), "code")
    assert (told["scripts"], told["handlers"], told["twice"]) == (0, 0, 0)
    assert told["rows"] <= 107  # 105 and the lines of the head
    for place in told["places"]:
        assert (made[1].parent / place).is_file(), place


def test_colours_of_pictures_are_those_of_the_page(made, opened):
    """Pictures with shades of their own are turned as a whole in the dark."""
    text = made[1].read_text(encoding="utf-8")
    tokens = {colour for _, *both in THEME.values() for colour in both}
    marks = {"#009e73", "#cc79a7", "#e69f00", "#56b4e9"}
    for address in re.findall(r'src="data:image/svg\+xml,([^"]*)"', text):
        picture = unquote(address)
        if "invert(" not in picture:
            assert {*re.findall(r"#[0-9a-f]{6}\b", picture)} <= tokens | marks
    style = re.search("<style>(.*?)</style>", text, re.DOTALL)[1]
    rules = re.sub(r":root \{[^}]*\}", "", style)
    assert not re.findall(r"#[0-9a-fA-F]{3,6}\b(?=[^{]*\})", rules)


def test_p_is_called_adjusted_where_it_is_and_its_interval_no_confidence_interval(
    opened,
):
    page = opened(1280)
    for table in page.locator(".forest").all():
        heads = " ".join(table.locator("thead th").all_inner_texts())
        if "adj. p" in heads:
            assert "CI" not in heads and "CI" not in table.inner_text()
        else:
            assert "CI" in heads


def test_a_margin_is_in_the_figure_the_claims_and_the_paragraph(made, opened):
    page = opened(1280)
    if made[0] not in ("two_models", "readers"):
        assert page.locator(".band").count() == 0
        return
    assert page.locator(".forest .band").count() >= 1
    assert "0.05" in page.locator("#paper .note").inner_text()
    told = page.locator("main").text_content()
    assert re.search("non-inferior|not worse|equivalent", told)


@pytest.mark.skipif(os.environ.get("DOCUMENTS") != "all", reason="for make study")
def test_five_hundred_algorithms_have_a_page_of_the_same_length(browser, tmp_path):
    folder = many(500, 100)(tmp_path / "report")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((folder / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") <= LARGE.wide
    assert (folder / "report.html").stat().st_size <= LARGE.size
    page.close()
