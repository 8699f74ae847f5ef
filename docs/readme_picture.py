"""Make the pictures of README and tutorials: ``python docs/readme_picture.py``.

They are parts of the page of the example, taken in a browser, whose fonts differ
between machines: they are made by hand when the page changes. Each holds the words that
the page had, which a test compares with those of today.
"""

from __future__ import annotations

import io
import os
import re
import tempfile
from pathlib import Path

import pycompare as pc

DOCS = Path(__file__).parent
PARTS = {
    "first": ("h1", ".forest"),
    "firm": ("#firm h2", "#firm"),
    "paper": ("#paper h2", "#paper"),
}
"""Pictures of the page: from the top of one element to the end of another."""
WORDS = "words"
"""The entry of a picture that holds the words of the page."""
_MARGIN = 6
_WIDTH = 1120


def example(folder: Path) -> Path:
    """Write the report of the example, dated as in the pictures; return its page."""
    os.environ["SOURCE_DATE_EPOCH"] = "1767312000"  # 2 January 2026
    compared = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    return pc.report(compared, folder / "report") / "report.html"


def words(page: str) -> str:
    """Return the words of a page before its results, on one line."""
    shown = re.search(r'<h1>.*?(?=<section id="result1">)', page, re.DOTALL)
    assert shown is not None
    return " ".join(re.sub(r"<[^>]*>", " ", shown[0]).split())


def pictures() -> dict[str, bytes]:
    """Return parts of the page of the example as PNG, in 32 colours."""
    from PIL import Image, PngImagePlugin
    from playwright.sync_api import sync_playwright

    made = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = example(Path(folder))
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_page(viewport={"width": _WIDTH, "height": 900})
        tab.goto(page.as_uri())
        told = PngImagePlugin.PngInfo()
        told.add_itxt(WORDS, words(page.read_text("utf-8")), zip=True)
        for name, (first, last) in PARTS.items():
            above = tab.locator(first).first.bounding_box()
            below = tab.locator(last).first.bounding_box()
            assert above is not None and below is not None
            top = above["y"] - _MARGIN
            height = below["y"] + below["height"] + _MARGIN - top
            clip = {"x": 0.0, "y": top, "width": float(_WIDTH), "height": height}
            shot = tab.screenshot(full_page=True, clip=clip)
            held = io.BytesIO()
            whole = Image.open(io.BytesIO(shot)).convert("RGB")
            whole.quantize(32).save(held, "PNG", optimize=True, pnginfo=told)
            made[name] = held.getvalue()
        browser.close()
    return made


if __name__ == "__main__":
    for name, png in pictures().items():
        (DOCS / f"report_{name}.png").write_bytes(png)
