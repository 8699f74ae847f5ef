"""Family-wise error and power of what decides in ``pc.compare``, on known truth.

``python -m validation.family_wise [--runs N] [--workers N] [--folder DIR]``; the last
part but one of ``make study``. Scores come from ``validation.known_winners``. Each run
calls the method that decides on its road, as ``pc.compare`` does, without the rest of
the analysis, and reads the verdict from the result's ``rejected``. Chunks are seeded by
their number and the case's name, so the number of workers changes no count; a finished
chunk is a line in the folder, and a killed run goes on where it was.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pycompare.over_datasets.sign_grid import SignGridResult
from pycompare.ranks.pairs import RankPairsResult
from pycompare.results import Pairs, PairsResult, Test

from . import known_winners as truth
from .agreement_study import table, versions
from .chunk_lines import append_line, read_lines
from .planned_roads import CASES, IN_QUALITY, INTERACTION, TRADE, Case

PAGE = Path(__file__).parent / "FAMILY_WISE.md"
ALPHA = 0.05
CHUNKS = 50
RUNS = 10_000
Counts = dict[str, int]
COUNTS = ("error", "found", "winner", "wrong")
# ---- counting -----------------------------------------------------------------------


def outcome(result: Pairs | Test, better: float) -> Counts:
    """Tell of one run: an error, differences found, the whole winner, a wrong sign.

    ``error``: some pair is rejected that does not differ. ``found``: pairs with A1
    rejected in its favour, of those in the family. ``winner``: all of them. ``wrong``:
    some pair rejected in favour of the algorithm that is worse.
    """
    if isinstance(result, Test):
        hit = result.rejected(ALPHA)
        true = hit and better > 0
        return {"error": hit and better == 0, "found": true, "winner": true, "wrong": 0}
    rejected = result.rejected(ALPHA).to_numpy()
    differs = differing(result, better)
    right = rejected & differs & favours(result)
    return {
        "error": int((rejected & ~differs).any()),
        "found": int(right.sum()),
        "winner": int(differs.any() and right.sum() == differs.sum()),
        "wrong": int((rejected & differs & ~right).any()),
    }


def differing(result: Pairs, better: float) -> np.ndarray:
    """Tell which pairs of the family differ: those with A1, if it is better."""
    first, second = (result.table[f"algorithm_{i}"].to_numpy() for i in (1, 2))
    return np.asarray(((first == "A1") | (second == "A1")) & (better > 0))


def favours(result: Pairs) -> np.ndarray:
    """Tell where the better one of a pair is A1, if it is one of them.

    Mean vectors have no better one; any rejection of theirs is right.
    """
    if not isinstance(result, PairsResult):
        return np.ones(len(result.table), bool)
    # Ranks and shares lost are better low, means as the metric: high.
    lower = isinstance(result, RankPairsResult | SignGridResult)
    is_first = result.table["algorithm_1"].to_numpy() == "A1"
    estimate = np.where(is_first, 1.0, -1.0) * result.table["estimate"].to_numpy(float)
    return np.asarray(estimate < 0 if lower else estimate > 0)


def strengths(case: Case) -> tuple[float, ...]:
    """Return by how much A1 is better in each part of the study, first not at all."""
    return (0.0, *case.better)


def simulate(case: Case, better: float, chunk: int, runs: int) -> Counts:
    """Count the outcomes of some runs."""
    rng = np.random.default_rng(
        [chunk, zlib.crc32(case.name.encode()), round(1e6 * better)]
    )
    total = dict.fromkeys((*COUNTS, "pairs"), 0)
    for _ in range(runs):
        result = case.decide(case.make(rng, better), case.plan)
        for name, value in outcome(result, better).items():
            total[name] += int(value)
    total["runs"] = runs
    pairs = 1 if isinstance(result, Test) else int(differing(result, 1.0).sum())
    total["pairs"] = pairs
    return total


def key(case: Case, better: float) -> str:
    """Return the name of a part of a case."""
    return f"{case.name}; {better:g}"


def run_chunk(chunk: int, runs: int) -> dict[str, Any]:
    """Run one chunk of every case."""
    found = {
        key(case, better): simulate(case, better, chunk, runs)
        for case in CASES
        for better in strengths(case)
    }
    return {"chunk": chunk, "counts": found}


def run(folder: Path, workers: int, runs: int = RUNS) -> str:
    """Run the chunks that are not done yet, write the page, and return what it says."""
    from joblib import Parallel, delayed

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"family-wise-{runs}.jsonl"
    done = {line["chunk"]: line["counts"] for line in read_lines(path)}
    left = [chunk for chunk in range(CHUNKS) if chunk not in done]
    each = runs // CHUNKS
    if left:
        cpu = seconds_of_a_run() * each * len(left)
        tell(f"{len(done)} of {CHUNKS} chunks done; {about(cpu / workers)} left")
    made = Parallel(n_jobs=workers, return_as="generator_unordered")(
        delayed(run_chunk)(chunk, each) for chunk in left
    )
    start = time.monotonic()
    for count, found in enumerate(made, start=1):
        done[found["chunk"]] = found["counts"]
        append_line(path, found)
        rest = (time.monotonic() - start) / count * (len(left) - count)
        tell(f"{len(done)} of {CHUNKS}, {about(rest)} left")
    counts = added([done[chunk] for chunk in range(CHUNKS)])
    PAGE.write_text("\n".join(page(counts)) + "\n", encoding="utf-8")
    return f"{conclusion(counts)}; see {PAGE}"


def seconds_of_a_run() -> float:
    """Return how long one run of every part takes here, the first one not counted."""
    run_chunk(0, 1)
    start = time.monotonic()
    run_chunk(0, 2)
    return (time.monotonic() - start) / 2


def about(seconds: float) -> str:
    """Return a time as people say it."""
    return f"about {seconds / 60:.0f} min" if seconds > 90 else f"about {seconds:.0f} s"


def tell(text: str) -> None:
    """Print how far it is."""
    print(f"family-wise error: {text}", flush=True)


def added(chunks: Sequence[Mapping[str, Counts]]) -> dict[str, Counts]:
    """Add up the counts of the chunks."""
    total = {}
    for name in chunks[0]:
        parts = [chunk[name] for chunk in chunks]
        summed = {k: sum(part[k] for part in parts) for k in (*COUNTS, "runs")}
        total[name] = summed | {"pairs": parts[0]["pairs"]}
    return total


def bound(runs: int, errors: float = 3.0) -> float:
    """Return alpha and some Monte Carlo standard errors."""
    return ALPHA + errors * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def rate(counts: Counts, name: str = "error") -> float:
    """Return the share of runs."""
    return counts[name] / counts["runs"]


def promised(counts: Mapping[str, Counts]) -> list[str]:
    """Name the parts in which alpha is promised and something could be an error."""
    return [
        key(case, better)
        for case in CASES
        for better in strengths(case)
        if case.holds and (better == 0 or others(case, counts[key(case, better)]))
    ]


def above(counts: Mapping[str, Counts], errors: float = 3.0) -> list[str]:
    """Name the parts in which alpha is promised and not held."""
    return [
        name
        for name in promised(counts)
        if rate(counts[name]) > bound(counts[name]["runs"], errors)
    ]


def conclusion(counts: Mapping[str, Counts]) -> str:
    """Say in one line whether every road that should holds its level."""
    held = len(promised(counts))
    failed = above(counts)
    runs = next(iter(counts.values()))["runs"]
    start = f"{held - len(failed)} of {held} family-wise errors of roads that"
    told = f"{start} promise alpha are at most {bound(runs):.4f} ({runs} runs each)"
    return "; ".join((told, *(f"above it: {name}" for name in failed)))


# ---- the page -----------------------------------------------------------------------


def page(counts: Mapping[str, Counts]) -> list[str]:
    """Return the lines of the page."""
    runs = next(iter(counts.values()))["runs"]
    return [
        "# Family-wise error and power on known truth",
        "",
        "Written by `python -m validation.family_wise`, a part of `make study`, which "
        f"makes {RUNS} runs; every number is computed. This page: **{runs} runs** of "
        f"each row, alpha {ALPHA:g}.",
        "",
        "Each row is a plan of `pc.compare` on scores of known truth "
        "(`validation/known_winners.py`, `validation/planned_roads.py`). A run calls "
        "the method that makes the verdict on that road, with the plan's settings, and "
        "takes its verdicts from the result; the rest of the analysis, which decides "
        "nothing, is left out, for the whole of `pc.compare` is too slow to be run so "
        "often, and wins by Tukey's and by corrected t tests are counted for all data "
        "sets at once. `tests/test_family_wise.py` holds each of these calls against "
        "the verdict of the whole.",
        "",
        "Family-wise error: the share of runs in which at least one pair is rejected "
        "that does not differ. The bound is alpha and three Monte Carlo standard "
        f"errors: {bound(runs):.4f}.",
        "",
        f"**{conclusion(counts)}.**",
        "",
        "## No algorithm differs",
        "",
        "Case: that of ASL (2009), Figure 7.1. About: what a verdict of the road is "
        "about where its assumptions hold. Alpha is promised where that is true of "
        "these scores, `nearly` where it holds by an approximation (how much folds "
        "correlate is assumed, not known); both are held against the bound.",
        "",
        *null_lines(counts),
        "",
        "Where alpha is not promised, the road tests another hypothesis than the one "
        "that is true of these scores, and its number is shown all the same:",
        "",
        *(f"- {case.name}: {case.why}." for case in CASES if not case.holds),
        "",
        "The same roads on scores for which their own hypothesis is true (independent "
        "folds; new training and test sets; algorithms alike on each data set) are in "
        "the table, promised. How much overlap costs hangs on the learner and on the "
        "protocol, as the rows of learners show; these learners are stable, and the "
        "numbers speak of no others. Plan `n_train` and `n_test` where folds share "
        "training cases, and any verdict but `model` for a claim about new data sets; "
        "no correction makes one test set into many.",
        "",
        "Called by themselves, since `pc.compare` counts wins over thresholds from "
        "predictions, not from counts, and no plan gives `pc.wins` a function: "
        f"{'; '.join(dict.fromkeys(c.road for c in CASES if c.direct))}.",
        "",
        "## A1 is better, all others alike",
        "",
        "By how much is in units of the standard deviation of one score; for learners, "
        "of one feature. Error: some pair of the others is rejected. Power: the mean "
        "share of the pairs with A1 that are rejected in its favour. Winner: all of "
        "them are. Wrong: some pair is rejected in favour of the worse. Mean vectors "
        "have no better one, and MANOVA has one hypothesis, false here: any rejection "
        "counts as right.",
        "",
        *power_lines(counts),
        "",
        "## How it was run",
        "",
        f"- {CHUNKS} chunks, each seeded by its number, the name of the row and by how "
        "much A1 is better: the number of workers changes no count.",
        f"- Sizes behind corrected t tests: n_train {truth.TRAIN}, n_test "
        f"{truth.TEST}. Algorithms that are alike over data sets differ on each by "
        f"normal amounts of standard deviation {INTERACTION:g}, in counts of right and "
        f"wrong {IN_QUALITY:g}.",
        f"- Counts: {truth.SIDE} positive and {truth.SIDE} negative cases a fold with "
        "normal scores; both errors cost the same. `of one risk, with other errors`: "
        f"every other algorithm has its threshold {2 * TRADE:g} higher than the rest, "
        "so that mean vectors differ and risks do not. Thresholds: "
        f"{', '.join(f'{x:g}' for x in truth.THRESHOLDS)}.",
        f"- Learners: nearest centroids, {truth.FEATURES} features each of its own, "
        f"{truth.CASES} cases of two equal classes that lie {truth.APART:g} apart.",
        *(f"- {line}" for line in versions()),
    ]


def null_lines(counts: Mapping[str, Counts]) -> list[str]:
    """Return the table of errors where no algorithm differs."""
    head = ("case", "what decides", "scores", "about", "family-wise error")
    rows: list[tuple[str, ...]] = [(*head, "promised", "at most the bound")]
    for case in CASES:
        found = counts[key(case, 0.0)]
        told = "yes" if rate(found) <= bound(found["runs"]) else "no"
        start = (case.figure, case.road, case.data, case.about)
        rows.append((*start, f"{rate(found):.4f}", case.promise, told))
    return table(rows)


def power_lines(counts: Mapping[str, Counts]) -> list[str]:
    """Return the table of errors and power where A1 is better."""
    head = ("what decides", "scores", "better by", "error", "power", "winner", "wrong")
    rows: list[tuple[str, ...]] = [head]
    for case in CASES:
        for better in case.better:
            found = counts[key(case, better)]
            power = rate(found, "found") / found["pairs"]
            error = f"{rate(found):.4f}" if others(case, found) else "-"
            shares = (f"{x:.3f}" for x in (power, rate(found, "winner")))
            wrong = f"{rate(found, 'wrong'):.4f}"
            rows.append((case.road, case.data, f"{better:g}", error, *shares, wrong))
    return table(rows)


def others(case: Case, found: Counts) -> bool:
    """Tell whether the family has hypotheses that are true while A1 is better."""
    return found["pairs"] > 1 or case.plan.control is not None


def main() -> None:
    """Run the study and say what it found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("study"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--runs", type=int, default=RUNS, help=f"a multiple of {CHUNKS}"
    )
    given = parser.parse_args()
    if given.runs < CHUNKS or given.runs % CHUNKS:
        parser.error(f"--runs {given.runs}: a multiple of {CHUNKS} is wanted")
    print(run(given.folder, given.workers, given.runs), file=sys.stdout, flush=True)


if __name__ == "__main__":
    main()
