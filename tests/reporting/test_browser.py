"""The page in a real browser: no error, no request, readable wide and narrow."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import sync_playwright

import pycompare as pc
from tests import many_predictions
from tests.methods.over_datasets.many_folds import folds_of
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


def datasets() -> pc.Scores:
    names = ["<img src=x onerror=alert(1)>", "b & c", "a rather long name " * 4, "d"]
    return folds_of([4, 5] * 4, effect=0.8, names=names)


def over_thresholds() -> pc.Predictions:
    names = ["<img src=x onerror=alert(1)>", "b & c", "a rather long name " * 4, "d"]
    return many_predictions.predictions(n_datasets=6, folds=5, names=names)


CASES = {
    "thresholds": (
        over_thresholds,
        pc.Plan(metrics=many_predictions.COUNTS, thresholds=5),
    ),
    "example": (pc.example, pc.Plan()),
    "many algorithms": (many, pc.Plan()),
    "control": (pc.example, pc.Plan(control="CN2")),
    "folds": (lambda: pc.example("folds"), pc.Plan(n_train=216, n_test=24)),
    "data sets": (datasets, pc.Plan()),
    "two algorithms": (two, pc.Plan(n_train=216, n_test=24)),
}


def curves() -> pc.CurveComparison:
    frame = rows(algorithms=[(name, 1.0) for name in many().algorithms[:6]])
    return pc.compare_curves(predictions(frame=frame, case="case"))


@pytest.fixture(scope="module", params=[*CASES, "curves"])
def page_file(request, tmp_path_factory):
    out = tmp_path_factory.mktemp("page") / "report"
    if request.param == "curves":
        return pc.report(curves(), out) / "report.html"
    make, plan = CASES[request.param]
    scores = make()
    return pc.report(pc.compare(scores, plan), out) / "report.html"


@pytest.fixture(scope="module")
def loaded(browser, page_file):
    """The page of a file, with what it said and asked for; each test leaves it so."""
    page = browser.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    yield page, said, asked
    page.close()


@pytest.fixture
def page(loaded):
    return loaded[0]


@pytest.mark.parametrize("width", [1280, 400])
def test_no_error_no_request_and_no_sideways_scrolling(loaded, page_file, width):
    page, said, asked = loaded
    page.set_viewport_size({"width": width, "height": 900})
    assert said == []
    assert [u for u in asked if not u.startswith(("data:", page_file.as_uri()))] == []
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert overflow <= 0
    size = page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)")
    assert size >= 15


PLANTED = """
<script>document.title = "run"</script>
<img src="x:" onerror="document.title = 'run'">
<img src="https://example.org/a.png">
<iframe src="https://example.org/"></iframe>
<link rel="stylesheet" href="https://example.org/a.css">
<style>h1 { color: rgb(1, 2, 3) }</style>
<p id="planted" style="color: rgb(1, 2, 3)">text</p>
<base href="https://example.org/">
<form action="https://example.org/"><button id="send">send</button></form>
"""


def test_the_policy_of_the_page_stops_what_is_planted_in_it(browser, tmp_path):
    """Whoever gets a label or a cell into a page as code gets nothing done."""
    made = pc.report(pc.compare(pc.example()), tmp_path / "report") / "report.html"
    text = made.read_text(encoding="utf-8")
    planted = tmp_path / "planted.html"
    planted.write_text(text.replace("</h1>", "</h1>" + PLANTED), encoding="utf-8")
    page = browser.new_page()
    stopped, failed, asked = [], {}, []
    page.on("console", lambda message: stopped.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda one: failed.update({one.url: one.failure}))
    page.goto(planted.as_uri())
    assert page.title() != "run"
    color = "element => getComputedStyle(element).color"
    for place in ("h1", "#planted"):
        assert page.locator(place).first.evaluate(color) != "rgb(1, 2, 3)"
    assert page.evaluate("document.baseURI") == planted.as_uri()
    page.evaluate("document.getElementById('send').click()")
    assert {failed[url] for url in asked if "example.org" in url} <= {"csp"}
    assert sum("Content Security Policy" in line for line in stopped) >= 9
    page.close()


def test_pictures_load_and_have_texts(page):
    images = page.evaluate(
        "[...document.images].map(i => [i.complete, i.naturalWidth, i.alt.length])"
    )
    assert len(images) >= 3
    assert all(done and wide > 100 and text > 20 for done, wide, text in images)


def test_headings_are_in_order(page):
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_the_r_program_is_linked_where_the_keyboard_opens(page):
    page.focus("#r summary")
    page.keyboard.press("Enter")
    assert page.is_visible("#r a[href='reproduce.R'], #r pre")
    page.keyboard.press("Enter")
    assert not page.is_visible("#r a[href='reproduce.R'], #r pre")


@pytest.fixture(scope="module")
def datasets_file(tmp_path_factory):
    out = tmp_path_factory.mktemp("datasets") / "report"
    return pc.report(pc.compare(datasets()), out) / "report.html"


@pytest.fixture
def open_page(browser, datasets_file):
    page = browser.new_page()
    page.goto(datasets_file.as_uri())
    yield page
    page.close()


def open_all(page):
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")


CONTRAST = """() => {
  const light = (c) => {
    const [r, g, b] = c.map((v) => v / 255).map(
      (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  let least = 21;
  for (const e of document.querySelectorAll("main *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own) continue;
    const [a, b] = [rgba(getComputedStyle(e).color).slice(0, 3), behind(e)].map(light);
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_texts_have_the_contrast_that_wcag_asks_for(page, scheme):
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(CONTRAST) >= 4.5
    page.evaluate("document.querySelector('h1').style.color = '#777'")
    assert page.evaluate(CONTRAST) < 4.5
    page.evaluate("document.querySelector('h1').style.color = ''")


def test_parts_open_by_keyboard_and_stay_closed_in_print(open_page):
    page = open_page
    part = page.locator("details.part:has(table)").first
    first = part.locator("table").first
    assert not first.is_visible()
    part.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert first.is_visible()
    assert page.pdf()[:4] == b"%PDF"
    assert page.locator("details.part[open]").count() == 1


def test_without_javascript_tables_are_plain_and_details_open(browser, datasets_file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(datasets_file.as_uri())
    assert page.locator("table.firm").first.is_visible()
    assert page.locator("tbody tr").count() > 3
    assert page.locator("thead th").first.inner_text() != ""
    page.locator("#plan summary").first.click()
    assert page.locator("#plan table").first.is_visible()
    context.close()


def test_linked_tables_are_files_beside_the_page(open_page, datasets_file):
    names = open_page.evaluate(
        "[...document.querySelectorAll('a[download]')].map(a => a.getAttribute('href'))"
    )
    assert len(names) >= 1
    assert all((datasets_file.parent / name).is_file() for name in names)


# ---- acceptance checks of the first screen ----------------------------------------

BOXES = """() => {
  const wide = [];
  for (const e of document.querySelectorAll("td, th, h1, .answer")) {
    if (!e.checkVisibility() || e.closest("details")) continue;
    if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
      if (!e.closest(".scroll") && !e.querySelector("svg")) wide.push(e.textContent);
  }
  const small = [...document.querySelectorAll("main *")].filter((e) =>
    [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) &&
    !e.closest(".v") && !e.matches(".v") && e.checkVisibility() &&
    parseFloat(getComputedStyle(e).fontSize) < 10.5);
  return [wide, small.map((e) => e.textContent)];
}"""
ROWS = """() => [...document.querySelectorAll(".forest tbody tr")].map((row) => {
  const x = (name) => row.querySelector(".zero").getBoundingClientRect().x;
  const ci = row.querySelector(".ci");
  const at = (e) => e.getBoundingClientRect();
  const dot = at(row.querySelector(".pt"));
  return {
    zero: x(), low: ci ? at(ci).left : null, high: ci ? at(ci).right : null,
    dot: dot.left + dot.width / 2, yes: row.matches(".is-yes"),
    filled: row.querySelector(".pt").matches(".yes"),
    bold: !!row.querySelector(".p strong"),
  };
})"""


@pytest.mark.parametrize("width", [1280, 400])
def test_the_first_screen_keeps_its_promises(page, width):
    for at in (width, *((360, 640, 900) if width == 400 else ())):
        page.set_viewport_size({"width": at, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == at
    page.set_viewport_size({"width": width, "height": 900})
    wide, small = page.evaluate(BOXES)
    assert wide == [] and small == []
    for row in page.evaluate(ROWS):
        assert row["yes"] == row["filled"] == row["bold"]
        if row["low"] is not None:
            inside = row["low"] < row["zero"] + 0.5 < row["high"]
            near = min(abs(row[k] - row["zero"]) for k in ("low", "high")) < 2
            assert near or row["yes"] != inside
            assert row["low"] - 1 <= row["dot"] <= row["high"] + 1
    rows = "[...document.querySelectorAll('table')].map(t => t.rows.length)"
    largest = max(page.evaluate(rows), default=0)
    assert largest <= 108
