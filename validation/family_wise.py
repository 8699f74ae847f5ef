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
import json
import math
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.over_datasets.sign_grid import SignGridResult
from pycompare.plans.plan import Plan
from pycompare.procedure.one_pair import one_pair
from pycompare.procedure.two_road import signed_rank
from pycompare.ranks.pairs import RankPairsResult
from pycompare.results import Pairs, PairsResult, Test

from . import known_winners as truth
from .agreement_study import table, versions

PAGE = Path(__file__).parent / "FAMILY_WISE.md"
ALPHA = 0.05
CHUNKS = 25
RUNS = 10_000
COUNTS = ("error", "found", "winner", "wrong")
Deciding = Callable[[pc.Scores, Plan], Pairs | Test]
Counts = dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A planned road on data of one kind.

    Attributes
    ----------
    road, data : str
        What decides, and on what, in words.
    plan : Plan
    make : callable
        Generator of ``known_winners``.
    decide : callable
        The deciding method, called with the scores and the plan.
    better : tuple of float
        By how much A1 is better in the alternatives.
    holds : bool
        Whether the family-wise error is to be at most alpha.
    why : str
        Where it is not: why.
    """

    road: str
    data: str
    plan: Plan
    make: Callable[[np.random.Generator, float], pc.Scores]
    decide: Deciding
    better: tuple[float, ...]
    holds: bool = True
    why: str = ""

    @property
    def name(self) -> str:
        """Road and data."""
        return f"{self.road}; {self.data}"


# ---- what decides on each road, as the road itself calls it ---------------------


def ranks(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare mean ranks of data sets, or of their means."""
    if plan.blocks == "folds-of-datasets":
        scores = pc.dataset_means(scores)
    exact = plan.exact_for(scores.n_blocks, scores.n_algorithms)
    return pc.rank_pairs(
        scores,
        adjust=plan.decisive,
        control=plan.control,
        p_value="exact" if exact else "normal",
    )


def means(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare means with the model's error."""
    if plan.verdict == "means":
        scores = pc.dataset_means(scores)
    if plan.control is not None:
        return pc.dunnett(scores, control=plan.control)
    return pc.tukey(scores)


def corrected(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare means by t tests corrected for shared training data."""
    sizes: dict[str, Any] = plan.sizes() or {}
    return pc.corrected_pairs(scores, adjust=plan.decisive, **sizes)


def two(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare two algorithms on folds."""
    sizes: dict[str, Any] = plan.sizes() or {}
    return one_pair(pc.paired_t(scores, **sizes), None)


def two_ranks(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare two algorithms over data sets."""
    return one_pair(signed_rank(pc.dataset_means(scores), plan, {}), None)


def signs(scores: pc.Scores, plan: Plan) -> Pairs:
    """Count wins of the data sets and test their signs."""
    found = pc.wins(scores, method="tukey", alpha=plan.alpha, omnibus=False)
    return pc.sign_grid(found, adjust=plan.decisive)


def vectors(scores: pc.Scores, plan: Plan) -> Pairs:
    """Compare mean vectors of pairs."""
    return pc.hotelling_pairs(scores, adjust=plan.t_adjust)


def all_vectors(scores: pc.Scores, plan: Plan) -> Test:
    """Test equal mean vectors of all algorithms."""
    return pc.manova(scores, alpha=plan.alpha)


# ---- the cases ----------------------------------------------------------------------

FOLDS = Plan(blocks="folds")
CORRECTED = Plan(blocks="folds", n_train=truth.TRAIN, n_test=truth.TEST)
INDEPENDENT = "10 independent folds of one data set"
OVERLAP = "10 folds that overlap (correlation 1/10)"
LEARNERS = "10-fold cross-validation of 4 learners"
HELD_OUT = "30 training sets and one test set (pc.HeldOut) of 4 learners"
NEW_DATA = "4 learners on 10 new pairs of training and test set"
METRICS = "20 folds, 3 correlated metrics, 4 algorithms"
SAME = "15 data sets x 10 folds, 4 algorithms alike on each data set"
VARIED = "15 data sets x 10 folds, 4 algorithms alike over data sets"
INTERACTION = 0.5
SHARED = (
    "the folds share training cases and are taken as independent: what is tested is "
    "whether the algorithms differ on this data set, and they are alike only over data "
    "sets drawn anew"
)
ONE_TEST = (
    "all folds have the same test cases and nearly the same training cases: what is "
    "tested is whether the learners differ on these"
)
ONE_TEST_CORRECTED = (
    "the correction is derived for test sets drawn anew; it stands here as what it "
    "makes of one test set"
)
THESE = (
    "the model is about these data sets: algorithms that are alike over data sets do "
    "differ on each of them"
)


def over_data_sets() -> Iterator[Case]:
    """Yield rank tests of independent data sets."""
    rank = partial(Case, decide=ranks, better=(1.0,))
    road = "ranks, Bergmann-Hommel"
    yield rank(
        road=road,
        data="15 data sets, 5 algorithms",
        plan=Plan(blocks="datasets"),
        make=truth.data_sets,
    )
    yield rank(
        road=f"{road}, exact p-values",
        data="8 data sets, 4 algorithms",
        plan=Plan(blocks="datasets"),
        make=partial(truth.data_sets, n=8, a=4),
    )
    yield rank(
        road="ranks against the control A5, Holm",
        data="15 data sets, 5 algorithms",
        plan=Plan(blocks="datasets", control="A5"),
        make=truth.data_sets,
    )


def over_folds() -> Iterator[Case]:
    """Yield comparisons of means over folds of one data set."""
    five = partial(Case, better=(1.5,))
    data = f"{INDEPENDENT}, 5 algorithms"
    yield five(road="Tukey", data=data, plan=FOLDS, make=truth.folds, decide=means)
    yield five(
        road="Dunnett against the control A5",
        data=data,
        plan=Plan(blocks="folds", control="A5"),
        make=truth.folds,
        decide=means,
    )
    road = "corrected t, Bergmann-Hommel"
    shared = f"{OVERLAP}, 5 algorithms"
    make: Any = truth.overlapping_folds
    yield five(road=road, data=data, plan=CORRECTED, make=truth.folds, decide=corrected)
    yield five(road=road, data=shared, plan=CORRECTED, make=make, decide=corrected)
    yield five(
        road="Tukey",
        data=shared,
        plan=FOLDS,
        make=make,
        decide=means,
        holds=False,
        why=SHARED,
    )
    pair = partial(Case, better=(1.5,), decide=two)
    data, shared = f"{INDEPENDENT}, 2 algorithms", f"{OVERLAP}, 2 algorithms"
    plain, common = partial(truth.folds, a=2), partial(truth.overlapping_folds, a=2)
    yield pair(road="paired t", data=data, plan=FOLDS, make=plain)
    yield pair(road="corrected paired t", data=shared, plan=CORRECTED, make=common)
    yield pair(
        road="paired t", data=shared, plan=FOLDS, make=common, holds=False, why=SHARED
    )


def of_learners() -> Iterator[Case]:
    """Yield comparisons of real learners, under both hypotheses."""
    learner = partial(Case, better=(1.0,))
    make = truth.cross_validated_learners
    new = truth.learners_on_new_data
    yield learner(road="Tukey", data=NEW_DATA, plan=FOLDS, make=new, decide=means)
    yield learner(
        road="Tukey",
        data=LEARNERS,
        plan=FOLDS,
        make=make,
        decide=means,
        holds=False,
        why=SHARED,
    )
    yield learner(
        road="corrected t, Bergmann-Hommel",
        data=LEARNERS,
        plan=CORRECTED,
        make=make,
        decide=corrected,
    )
    held_out = partial(learner, data=HELD_OUT, make=truth.learners_held_out)
    yield held_out(road="Tukey", plan=FOLDS, decide=means, holds=False, why=ONE_TEST)
    yield held_out(
        road="corrected t, Bergmann-Hommel",
        plan=Plan(blocks="folds", n_train=29, n_test=15),  # two thirds of 29/30 : 1/3
        decide=corrected,
        holds=False,
        why=ONE_TEST_CORRECTED,
    )


def over_folds_of_data_sets() -> Iterator[Case]:
    """Yield what may decide over several data sets with folds, under both nulls."""
    roads: dict[str, tuple[str, Deciding]] = {
        "ranks": ("ranks of data-set means, Bergmann-Hommel", ranks),
        "sign": ("sign tests of wins, Bonferroni", signs),
        "means": ("Tukey, data-set means", means),
        "model": ("Tukey, one model of all folds", means),
    }
    varied = partial(truth.folds_of_data_sets, interaction=INTERACTION)
    for verdict, (road, decide) in roads.items():
        plan = Plan(blocks="folds-of-datasets", verdict=verdict)  # type: ignore[arg-type]
        case = partial(Case, road=road, plan=plan, decide=decide, better=(0.5, 2.0))
        yield case(data=SAME, make=truth.folds_of_data_sets)
        fails = verdict == "model"
        why = THESE if fails else ""
        yield case(data=VARIED, make=varied, holds=not fails, why=why)
    yield Case(
        road="Wilcoxon, data-set means",
        data="15 data sets x 10 folds, 2 algorithms alike over data sets",
        plan=Plan(blocks="folds-of-datasets"),
        make=partial(varied, a=2),
        decide=two_ranks,
        better=(0.5, 2.0),
    )


def of_metrics() -> Iterator[Case]:
    """Yield what decides about several metrics together."""
    case = partial(
        Case,
        data=METRICS,
        plan=FOLDS,
        make=truth.metrics_on_folds,
        better=(0.8,),
    )
    yield case(road="MANOVA, Wilks", decide=all_vectors)
    yield case(road="paired T2, Bergmann-Hommel", decide=vectors)


CASES = (
    *over_data_sets(),
    *over_folds(),
    *of_learners(),
    *over_folds_of_data_sets(),
    *of_metrics(),
)


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
    names = result.table[["algorithm_1", "algorithm_2"]]
    return np.asarray((names == "A1").any(axis=1)) & (better > 0)


def favours(result: Pairs) -> np.ndarray:
    """Tell where the better one of a pair is A1, if it is one of them.

    Mean vectors have no better one; any rejection of theirs is right.
    """
    if not isinstance(result, PairsResult):
        return np.ones(len(result.table), bool)
    # Ranks and shares lost are better low, means as the metric: high.
    lower = isinstance(result, RankPairsResult | SignGridResult)
    is_first = (result.table["algorithm_1"] == "A1").to_numpy()
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
    done = read(path)
    left = [chunk for chunk in range(CHUNKS) if chunk not in done]
    made = Parallel(n_jobs=workers, return_as="generator_unordered")(
        delayed(run_chunk)(chunk, runs // CHUNKS) for chunk in left
    )
    for found in made:
        done[found["chunk"]] = found["counts"]
        with path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(found) + "\n")
        print(f"family-wise error: {len(done)} of {CHUNKS}", flush=True)
    counts = added([done[chunk] for chunk in range(CHUNKS)])
    PAGE.write_text("\n".join(page(counts)) + "\n", encoding="utf-8")
    return f"{conclusion(counts)}; see {PAGE}"


def read(path: Path) -> dict[int, dict[str, Counts]]:
    """Return the chunks that are done."""
    if not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {line["chunk"]: line["counts"] for line in lines}


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
        "(`validation/known_winners.py`). A run calls the method that makes the "
        "verdict on that road, with the plan's settings, and takes its verdicts from "
        "the result; the rest of the analysis, which decides nothing, is left out, for "
        "the whole of `pc.compare` is too slow to be run so often. "
        "`tests/test_family_wise.py` holds each of these calls against the verdict of "
        "the whole.",
        "",
        "Family-wise error: the share of runs in which at least one pair is rejected "
        "that does not differ. The bound is alpha and three Monte Carlo standard "
        f"errors: {bound(runs):.4f}.",
        "",
        f"**{conclusion(counts)}.**",
        "",
        "## No algorithm differs",
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
        f"normal amounts of standard deviation {INTERACTION:g}.",
        f"- Learners: nearest centroids, {truth.FEATURES} features each of its own, "
        f"{truth.CASES} cases of two equal classes that lie {truth.APART:g} apart.",
        *(f"- {line}" for line in versions()),
    ]


def null_lines(counts: Mapping[str, Counts]) -> list[str]:
    """Return the table of errors where no algorithm differs."""
    rows: list[tuple[str, ...]] = [
        ("what decides", "scores", "family-wise error", "promised", "at most the bound")
    ]
    for case in CASES:
        found = counts[key(case, 0.0)]
        held = rate(found) <= bound(found["runs"])
        should = "yes" if case.holds else "no"
        told = "yes" if held else "no"
        rows.append((case.road, case.data, f"{rate(found):.4f}", should, told))
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
