"""Random scores and plans over all keys: refused, or nothing contradicts anything.

``RANDOM_PLANS=5000`` (``make study``) tries more of them than the suite does.
"""

from __future__ import annotations

import dataclasses
import html
import json
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import PyCompareError
from pycompare.designs.analysis import Analysis
from pycompare.designs.multiple_datasets import DatasetsAnalysis
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.two_algorithms import TwoAnalysis
from tests.designs import consistency
from validation.random_plans import VALUES, case

EXAMPLES = int(os.environ.get("RANDOM_PLANS", "150"))
REPORTS = max(15, EXAMPLES // 10)


def compared(seed: int) -> pc.Comparison | None:
    """Return a random comparison; None where it is refused by name."""
    make_scores, make_plan = case(seed)
    try:
        scores = make_scores()
        found = pc.compare(scores, make_plan(scores))
        return on_alpha(found) if seed % 4 == 0 else found
    except PyCompareError:
        return None


def analyses_of(found: pc.Comparison) -> list[Analysis]:
    """Return the analyses of all groups and metrics."""
    return [analysis for part in found.parts for analysis in part.analyses]


def on_alpha(found: pc.Comparison) -> pc.Comparison:
    """Return the comparison at an alpha that is one of its p-values, to the bit."""
    p = [d.p_adjusted for a in analyses_of(found) for d in a.decisions]
    p = sorted(x for x in p if 0 < x < 0.5)
    if not p:
        return found
    plan = dataclasses.replace(found.asked, alpha=p[len(p) // 2], level=0.95)
    return pc.compare(found.scores, plan)


@pytest.fixture(scope="module")
def outcomes() -> dict[int, pc.Comparison | None]:
    """Return what became of each seed."""
    return {}


def test_what_is_significant_is_in_reach():
    """Alpha is the smallest p-value of six data sets; a bit more was out of reach."""
    consistency.check(compared(440))


def test_every_key_of_the_plan_is_given_by_the_generator():
    assert set(VALUES) == set(keys_of(pc.Plan))


@pytest.mark.parametrize("start", range(0, EXAMPLES, 10))
def test_a_random_plan_is_refused_or_nothing_contradicts_anything(start, outcomes):
    for seed in range(start, start + 10):
        found = outcomes[seed] = compared(seed)
        if found is not None:
            try:
                consistency.check(found)
            except Exception as error:
                error.add_note(f"seed {seed}: {found.plan}")
                raise


def test_most_random_plans_are_run_on_every_analysis_and_decide_something(outcomes):
    made = [found for found in outcomes.values() if found is not None]
    assert len(made) > 0.5 * len(outcomes)
    analyses = [analyses_of(found)[0].kind for found in made]
    assert min(analyses.count(name) for name in KINDS) > 0.03 * len(made)
    lost = [sum(d.rejected for a in analyses_of(f) for d in a.decisions) for f in made]
    assert 0.2 < np.mean(np.array(lost) > 0) < 0.9


KINDS = ("ranks", "means", "two algorithms", "data sets")


@pytest.mark.parametrize("seed", range(10_000, 10_000 + REPORTS))
def test_a_random_report_is_refused_or_its_files_agree(seed, tmp_path):
    found = compared(seed)
    if found is None:
        assert not list(tmp_path.iterdir())
        return
    folder = pc.report(found, tmp_path / "report")
    held = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    alpha = found.plan.alpha
    for k, part in enumerate(found.parts, start=1):
        stem = (
            "" if not found.grouped else f"group{k}_" if part.group else "all_groups_"
        )
        shown = held["groups"][k - 1] if found.grouped else held
        for place, analysis in enumerate(part.analyses, start=1):
            prefix = stem + (f"metric{place}_" if len(part.analyses) > 1 else "")
            untested = {"estimates": "differences", "ranking": "ranking"}
            if analysis.kind in untested:
                name = f"{prefix}{untested[analysis.kind]}.csv"
                assert (folder / "tables" / name).is_file()
                continue
            check_files(
                folder / "tables", prefix, shown["analyses"][place - 1], analysis
            )
            over = consistency.deciding(analysis)
            if over is not None:
                consistency.check_pictures(over.decisive, alpha)
    page = (folder / "report.html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]*>", "", page)).replace("\xa0", " ")
    for sentence in found.summary().splitlines():
        counted = re.search(r"\d+ of \d+ significant in ", sentence)
        if not (sentence.startswith("Sensitivity") or counted):  # tables on the page
            assert sentence in text or sentence.partition(": ")[2] in text, sentence


def check_files(folder, prefix, held, analysis) -> None:
    """The CSV tables and results.json hold the numbers that decided."""
    for shown, made in zip(held["decisions"], analysis.decisions, strict=True):
        assert (shown["better"], shown["worse"]) == (made.better, made.worse)
        assert shown["rejected"] == made.rejected
        assert number(shown["p_adjusted"]) == approx(made.p_adjusted)
    if isinstance(analysis, TwoAnalysis):
        p = read_csv(folder / f"{prefix}tests.csv")
        assert number(p["p_value"][0]) == approx(analysis.test.p_value)
        return
    over = consistency.deciding(analysis)
    several = isinstance(analysis, DatasetsAnalysis)
    name, shown = "pairs", held
    if several:
        whole = over.key == "ranks" and analysis.ranks is not None
        stem = over.key.replace("-", "_")
        name = "ranks_pairs" if whole else f"{stem}_pairs"
        [shown] = [o for o in held["over"] if o["key"] == over.key]
    table = read_csv(folder / f"{prefix}{name}.csv")
    assert len(table) == len(shown["pairs"])
    for row, written in zip(table.to_dict("records"), shown["pairs"], strict=True):
        for column in ("algorithm_1", "algorithm_2"):
            assert row[column].removeprefix("'") == written[column].removeprefix("'")
        for pairs in over.pairs:
            column = f"p_{pairs.adjust}"
            assert number(row[column]) == approx(number(written[column]))


def read_csv(path: Path) -> pd.DataFrame:
    """Read every cell as it is written."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def number(value: object) -> float:
    """Return a number of a file; an empty cell is NaN."""
    return float(value) if value != "" else float("nan")


def approx(value: float):
    """Return what equals a number to the last bit, NaN included."""
    return pytest.approx(value, rel=0, abs=0, nan_ok=True)
