"""The page in a real browser: no error, no request, readable wide and narrow."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import sync_playwright

import pycompare as pc
from tests.predictions import predictions, rows

pytestmark = pytest.mark.browser

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=ARGUMENTS
        )
        yield chromium
        chromium.close()


def many() -> pc.Scores:
    names = [f"an algorithm with a rather long name, number {j}" for j in range(14)]
    names[3] = "<img src=x onerror=alert(1)>"
    names[4] = "http://example.org/?a=1&b=2"
    x = np.random.default_rng(1).normal(size=(20, 14)) + 0.1 * np.arange(14)
    frame = pd.DataFrame(x, columns=names)
    return pc.Scores.from_wide(frame, metric="loss", better="lower")


def two() -> pc.Scores:
    return pc.example("folds").select(algorithms=["QDA", "9-NN"])


CASES = {
    "example": (pc.example, pc.Plan()),
    "many algorithms": (many, pc.Plan()),
    "control": (pc.example, pc.Plan(control="CN2")),
    "folds": (lambda: pc.example("folds"), pc.Plan(n_train=216, n_test=24)),
    "two algorithms": (two, pc.Plan(n_train=216, n_test=24)),
}


def curves() -> pc.CurveComparison:
    frame = rows(algorithms=[(name, 1.0) for name in many().algorithms[:6]])
    return pc.compare_curves(predictions(frame=frame, case="case"))


@pytest.fixture(scope="module", params=[*CASES, "curves"])
def page_file(request, tmp_path_factory):
    out = tmp_path_factory.mktemp("page") / "report"
    if request.param == "curves":
        return pc.report_curves(curves(), out) / "report.html"
    make, plan = CASES[request.param]
    scores = make()
    return pc.report(pc.compare(scores, plan), out) / "report.html"


@pytest.mark.parametrize("width", [1280, 400])
def test_no_error_no_request_and_no_sideways_scrolling(browser, page_file, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    page.screenshot(path=page_file.with_name(f"screen{width}.png"), full_page=True)
    assert said == []
    assert [u for u in asked if not u.startswith(("data:", page_file.as_uri()))] == []
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert overflow <= 0
    size = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert size >= 15
    page.close()


def test_pictures_load_and_have_texts(browser, page_file):
    page = browser.new_page()
    page.goto(page_file.as_uri())
    images = page.evaluate(
        "[...document.images].map(i => [i.complete, i.naturalWidth, i.alt.length])"
    )
    assert len(images) >= 3
    assert all(done and wide > 100 and text > 20 for done, wide, text in images)
    page.close()


def test_headings_are_in_order_and_contents_lead_somewhere(browser, page_file):
    page = browser.new_page()
    page.goto(page_file.as_uri())
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    lost = page.evaluate(
        "[...document.querySelectorAll('nav a')].filter("
        "a => !document.querySelector(a.getAttribute('href'))).length"
    )
    assert lost == 0
    page.close()


def test_the_r_code_opens_by_keyboard(browser, page_file):
    page = browser.new_page()
    page.goto(page_file.as_uri())
    page.focus("summary")
    page.keyboard.press("Enter")
    assert page.is_visible("details pre")
    page.close()
