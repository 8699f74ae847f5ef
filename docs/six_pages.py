"""Make the pages of six designs, and pictures: ``python docs/six_pages.py FOLDER``.

The example is real, the others are simulated; they have the shapes of six comparisons
that report pages are designed for. The pictures, at 1280 and 400 px, light and dark,
are to be looked at beside the design. The browser tests check the same pages.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

import pycompare as pc

WIDTHS = (1280, 400)
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
Writer = Callable[[Path], Path]
"""Writes a report to a folder."""


def example() -> Writer:
    """Return five classifiers on 30 data sets, real data."""
    compared = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    return partial(pc.report, compared)


def many(algorithms: int = 104, data_sets: int = 41) -> Writer:
    """Return many models on many tasks, all of them with long names."""
    rng = np.random.default_rng(2)
    level = np.linspace(0.9, 0.4, algorithms)
    values = rng.normal(size=(data_sets, algorithms)) * 0.05 + level
    names = [f"organisation/model-{j}-large-instruct" for j in range(algorithms)]
    frame = pd.DataFrame(values, columns=names)
    scores = pc.Scores.from_wide(frame, metric="main_score", better="higher")
    return partial(pc.report, pc.compare(scores, pc.Plan(blocks="datasets")))


def two_models() -> Writer:
    """Return two models that answered 198 questions five times each, with a margin."""
    rng = np.random.default_rng(7)
    ability = rng.normal(0.9, 1.6, size=(198, 1))
    rows = [
        {"item": f"q{i}", "model": model, "epoch": epoch, "score": float(right)}
        for at, model in enumerate(("gpt-mini", "gpt-nano"))
        for epoch in range(5)
        for i, right in enumerate(
            rng.random(198) < 1 / (1 + np.exp(-ability[:, 0] - 0.35 * at))
        )
    ]
    scores = pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="model",
        block="item",
        replicate="epoch",
        metrics={"score": "higher"},
    )
    plan = pc.Plan(
        blocks="cases",
        margin=0.05,
        hypothesis="equivalence",
        replicates="average",
        runs="samples",
    )
    return partial(pc.report, pc.compare(scores, plan))


def data_sets() -> Writer:
    """Return eight classifiers on 142 data sets."""
    rng = np.random.default_rng(5)
    names = "HC2 MR-Hydra InceptionT RDST WEASEL-2 QUANT FreshPRINCE PF".split()
    level = np.array([0, 0.003, 0.012, 0.014, 0.016, 0.02, 0.03, 0.06])
    values = rng.beta(8, 2, size=(142, 1)) - level + rng.normal(size=(142, 8)) * 0.02
    frame = pd.DataFrame(values.clip(0, 1), columns=names)
    scores = pc.Scores.from_wide(frame, metric="accuracy", better="higher")
    return partial(pc.report, pc.compare(scores, pc.Plan(blocks="datasets")))


def readers() -> Writer:
    """Return two modalities, five readers and 114 cases, with a margin."""
    rng = np.random.default_rng(3)
    truth = np.arange(114) < 45
    values = rng.normal(size=(2, 5, 114)) + rng.normal(size=114)
    values += rng.normal(size=(5, 114)) * 0.5
    values += truth * (1.9 + 0.35 * np.arange(2))[:, None, None]
    ratings = pc.Ratings(
        values=values.round(1),
        truth=truth,
        modalities=("Spin echo", "Cine"),
        readers=tuple(f"Reader {j + 1}" for j in range(5)),
        cases=tuple(f"case {k + 1}" for k in range(114)),
    )
    return partial(pc.report, pc.mrmc(ratings, margin=0.05, hypothesis="equivalence"))


def interaction() -> Writer:
    """Return three classifiers on 30 splits of each of four data sets."""
    rng = np.random.default_rng(4)
    means = {
        "Beef": (0.72, 0.76, 0.77),
        "Adiac": (0.79, 0.82, 0.82),
        "FaceFour": (0.98, 0.90, 0.91),
        "ScreenType": (0.75, 0.68, 0.67),
    }
    classifiers = ("HC2", "MR-Hydra", "QUANT")
    rows = [
        {
            "classifier": classifier,
            "data": data,
            "split": f"{data} {split}",
            "accuracy": mean + shared + rng.normal() * 0.04,
        }
        for data, levels in means.items()
        for split, shared in enumerate(rng.normal(size=30) * 0.03)
        for classifier, mean in zip(classifiers, levels, strict=True)
    ]
    model = pc.linear_model(
        pd.DataFrame(rows), "accuracy ~ classifier * data", within="split"
    )
    return partial(pc.report, model)


PAGES: Mapping[str, Callable[[], Writer]] = {
    "example": example,
    "many": many,
    "two_models": two_models,
    "data_sets": data_sets,
    "readers": readers,
    "interaction": interaction,
}


def pictures(page: Path, stem: Path) -> None:
    """Write the pictures of a page."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        for width in WIDTHS:
            for scheme in SCHEMES:
                tab = browser.new_page(
                    viewport={"width": width, "height": 900}, color_scheme=scheme
                )
                tab.goto(page.resolve().as_uri())
                tab.screenshot(path=f"{stem}_{width}_{scheme}.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, make in PAGES.items():
        report = make()(folder / name)
        pictures(report / "report.html", folder / name)
