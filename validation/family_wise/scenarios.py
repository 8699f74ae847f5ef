"""The grid of the study: truths, numbers of blocks and algorithms, methods."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from . import designs, folds, public, truths
from .methods import LOGICAL, METHODS, Method
from .tables import Tables, family
from .truths import (
    AUC,
    BETWEEN,
    CROSSED,
    EXCHANGEABLE,
    HYPOTHESES,
    INTERACTION,
    MARGIN,
    MEAN,
    PARTIAL_AUC,
    PR_AREA,
    VECTOR,
    WINS,
    Signs,
    Truth,
    signs_of,
)

Draw = Callable[[np.random.Generator, int], Any]
COARSE, ENOUGH = 3, 40
"""So few algorithms have sums of ranks so coarse that z needs so many blocks.

Exact errors of z at alpha: up to 0.078 of 2 algorithms, 0.062 of 3.
"""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """Scores of one truth on one design, and the methods that are applied to them.

    Attributes
    ----------
    truth, design : str
    n, a : int
        Blocks and algorithms.
    draw : callable
        ``(rng, runs)`` to data of that many runs.
    signs : mapping of str to ndarray
        Hypothesis to the table of signs (a, a); see ``truths``.
    violates : frozenset of str
        Assumptions that do not hold, whatever the hypothesis.
    methods : tuple of Method
    """

    truth: str
    design: str
    n: int
    a: int
    draw: Draw
    signs: Mapping[str, Signs]
    violates: frozenset[str]
    methods: tuple[Method, ...]

    @property
    def name(self) -> str:
        """Truth and design."""
        return f"{self.truth}; {self.design}"

    @cached_property
    def seed(self) -> int:
        """What the scenario's name adds to the seeds of its chunks."""
        return zlib.crc32(self.name.encode())

    def make(self, chunk: int, runs: int) -> Any:
        """Return the data of a chunk."""
        return self.draw(np.random.default_rng([self.seed, chunk]), runs)

    def hypotheses(self, method: Method) -> list[str]:
        """Return the hypotheses under which a method's errors are counted here.

        The second one only where it is true of other pairs than the first.
        """
        made = [h for h in (method.hypothesis, method.also) if h in self.signs]
        if len(made) > 1:
            one, two = (self.expected(method, h) for h in made)
            if np.array_equal(one == 0, two == 0):
                made = made[:1]
        return made

    def expected(self, method: Method, hypothesis: str) -> Signs:
        """Return what is true of the pairs of a method's family."""
        square = self.signs[hypothesis]
        if method.whole:
            return np.array([square.any()], np.int8)
        found = square[family(self.a, method.control)]
        return found if method.directed else np.abs(found)

    def broken(self, method: Method, hypothesis: str) -> list[str]:
        """Return the assumptions that do not hold, in the ledger's words."""
        made = set(self.violates)
        if method.over_data_sets:
            made -= {SHARED, "these-data-sets"}
        if hypothesis == WINS and not transitive(self.signs[WINS] == 0):
            made.add("transitive")
        square = self.signs[hypothesis]
        if square.any():
            made.add("complete-null")
        if "/normal/" in method.guarantee and self.a <= COARSE and self.n < ENOUGH:
            made.add("large-sample")
        if EXCHANGEABLE in self.signs and hypothesis != MARGIN:
            other = self.signs[EXCHANGEABLE]
            if ((square == 0) & (other != 0)).any():
                made.add("exchangeable")
            else:
                # Exchangeable scores have differences symmetric about 0.
                made.discard("symmetric")
                made -= self.symmetric_after_all(method)
            if method.guarantee.startswith("ranks/") and self.skewed_ranks():
                made.add("jointly-symmetric")
        return sorted(made)

    def symmetric_after_all(self, method: Method) -> set[str]:
        """Return that differences are jointly symmetric, where exchanging shows it."""
        alike = self.signs[EXCHANGEABLE] == 0
        pairs_only = alike.sum(axis=1).max() <= 2
        ranked = method.guarantee.startswith("ranks/") and alike.all()
        return {"jointly-symmetric"} if pairs_only or ranked else set()

    def skewed_ranks(self) -> bool:
        """Return whether three are alike whose ranks others push to one side."""
        alike = self.signs[EXCHANGEABLE] == 0
        others = (self.signs[WINS] != 0).any() if WINS in self.signs else False
        return bool(alike.sum(axis=1).max() > 2 and others)


def transitive(alike: np.ndarray) -> bool:
    """Return whether two that are like a third are like each other."""
    return bool(((alike @ alike) <= alike).all())


SHARED = "independent-blocks"

# ---- tables -------------------------------------------------------------------------

DESIGNS = (
    (5, 5),
    (6, 5),
    (7, 5),
    (8, 5),
    (10, 5),
    (15, 5),
    (8, 3),
    (15, 2),
    (6, 10),
    (12, 8),
    (10, 20),
    (15, 10),
    (30, 8),
    (60, 8),
    (100, 8),
    (30, 20),
    # At the borders of the default by size, and between:
    (15, 3),
    (30, 5),
    (100, 5),
    (13, 8),
    (20, 8),
    (10, 10),
    (12, 15),
)
WIDE = 10
WIDELY = (
    "no algorithm differs",
    "one winner",
    "three tiers",
    "two unstable algorithms among ordered ones",
    "one algorithm noisier",
)
"""Truths of more than 10 algorithms, and of closed tests of 8, which are slow."""
FEW = ((5, 5), (8, 5), (15, 5), (15, 10), (30, 8))
"""Blocks and algorithms, for all truths; the first list for the most important."""


def tables(rng: np.random.Generator, runs: int, truth: Truth, n: int, a: int) -> Tables:
    """Draw tables; the seed of changes of sign is drawn as well."""
    x = truth.make(rng, runs, n, a)
    return Tables(x, int(rng.integers(2**31)))


def of_tables() -> Iterator[Scenario]:
    """Yield all truths on tables."""
    main = [*truths.partial_nulls(), *truths.unequal()]
    for truth, sizes in (
        *((t, DESIGNS if "even" not in t.name else (*DESIGNS, (60, 7))) for t in main),
        *((t, FEW) for t in truths.other_laws()),
    ):
        for n, a in sizes:
            if needs(truth.name) <= a and (a <= WIDE or truth.name in WIDELY):
                yield Scenario(
                    truth=truth.name,
                    design=f"{n} x {a}",
                    n=n,
                    a=a,
                    draw=partial(tables, truth=truth, n=n, a=a),
                    signs=truth.signs(a),
                    violates=truth.violates,
                    methods=tuple(
                        m
                        for m in (*METHODS, *(LOGICAL if "even" in truth.name else ()))
                        if m.fits(n, a) and (truth.name in WIDELY or not m.widely)
                    ),
                )


def needs(name: str) -> int:
    """Return how many algorithms a truth is about at least."""
    if name.startswith("two unstable"):
        return 4
    if name in ("no algorithm differs", "one winner", "one algorithm noisier"):
        return 2
    return 4 if "pairs" in name else 3


# ---- folds, metrics, learners, cases ------------------------------------------------


def winner(a: int, better: float, *more: str) -> dict[str, Signs]:
    """Return the signs where A1 is better by some amount, all others alike."""
    square = signs_of(designs.first(a, better))
    return dict.fromkeys((*HYPOTHESES, *more), square)


def scenario(
    draw: Callable[..., Any],
    better: float,
    size: tuple[int, int],
    design: str,
    methods: tuple[Method, ...],
    *violates: str,
    **more: Any,
) -> Scenario:
    """Return a scenario in which A1 is better than all others, or nobody is."""
    n, a = size
    none = np.zeros((a, a), np.int8)
    own = none + 1 if more.get("interaction") else none
    return Scenario(
        truth=f"one winner, by {better:g}" if better else "no algorithm differs",
        design=design,
        n=n,
        a=a,
        draw=partial(draw, better=better, **more),
        signs=winner(a, better, VECTOR, AUC, PARTIAL_AUC, PR_AREA) | {INTERACTION: own},
        violates=frozenset(violates),
        methods=methods,
    )


def of_folds() -> Iterator[Scenario]:
    """Yield folds of one data set."""
    for better in (0.0, 1.5):
        for overlap in (False, True):
            word = "overlapping folds" if overlap else "independent folds"
            violates = (SHARED,) if overlap else ()
            for n, a in ((10, 2), (5, 5), (8, 5), (10, 5), (30, 5), (10, 10)):
                methods = (
                    (folds.PAIRED_T, *folds.CORRECTED_T) if a == 2 else folds.ON_FOLDS
                )
                yield scenario(
                    designs.folds,
                    better,
                    (n, a),
                    f"{n} {word} x {a}",
                    methods,
                    *violates,
                    n=n,
                    a=a,
                    overlap=overlap,
                )


def of_partial_nulls_on_folds() -> Iterator[Scenario]:
    """Yield overlapping folds on which some algorithms differ, or one is noisier."""
    for name, level, noisier in (
        ("three tiers", truths.tiers, 1.0),
        ("ladder with a tied pair", truths.tied_ladder, 1.0),
        ("one algorithm noisier", truths.none_better, 5.0),
        ("one algorithm noisier, one winner", truths.one_winner, 5.0),
    ):
        for n, a in ((5, 5), (8, 5), (10, 5), (30, 5)):
            yield Scenario(
                truth=name,
                design=f"{n} overlapping folds x {a}",
                n=n,
                a=a,
                draw=partial(on_folds, level=level, noisier=noisier, n=n, a=a),
                signs={MEAN: signs_of(level(a))},
                violates=frozenset(
                    {SHARED, "equal-variances"} if noisier > 1 else {SHARED}
                ),
                methods=folds.ON_FOLDS,
            )


def on_folds(
    rng: np.random.Generator,
    runs: int,
    level: Callable[[int], truths.Floats],
    noisier: float,
    n: int,
    a: int,
) -> truths.Floats:
    """Draw overlapping folds of the correlation that is assumed."""
    return truths.overlapping(
        rng, runs, n, a, level=level, noisier=noisier, rho=designs.RHO
    )


def of_gaps() -> Iterator[Scenario]:
    """Yield tables with missing cells."""
    for better in (0.0, 1.5):
        for n, a in ((8, 5), (10, 5), (15, 4)):
            yield scenario(
                designs.with_gaps,
                better,
                (n, a),
                f"{n} blocks x {a}, missing cells",
                public.INCOMPLETE,
                n=n,
                a=a,
            )


def of_one_size() -> Iterator[Scenario]:
    """Yield differences that all have one size."""
    for better in (0.0, 0.9):
        for n in (6, 8):
            yield scenario(
                designs.of_one_size,
                better,
                (n, 2),
                f"{n} blocks x 2, differences of one size",
                public.ONE_SIZE,
                "normal",
                n=n,
                a=2,
            )


def of_runs() -> Iterator[Scenario]:
    """Yield several runs of each algorithm on each block."""
    for better in (0.0, 1.0):
        yield scenario(
            designs.runs_on_blocks,
            better,
            (8, 4),
            "8 blocks x 4, 3 runs each",
            (public.ALL_RUNS,),
            n=8,
            a=4,
            k=3,
        )


def of_strata() -> Iterator[Scenario]:
    """Yield data sets of two kinds, a model with strata."""
    for better, kind in ((0.0, 0.0), (1.0, 0.0), (0.0, 2.0)):
        for sets, a in ((4, 3), (8, 4)):
            made = scenario(
                designs.two_kinds,
                better,
                (2 * sets, a),
                f"2 kinds of {sets} data sets x {a}, {kind:g} apart",
                folds.OF_STRATA,
                sets=sets,
                a=a,
                kind=kind,
            )
            none = np.zeros((a, a), np.int8)
            apart = none + 1 if kind else none
            yield replace(made, signs={**made.signs, BETWEEN: apart, CROSSED: none})


def of_samples() -> Iterator[Scenario]:
    """Yield several metrics of algorithms on blocks of their own."""
    for better in (0.0, 1.0):
        for noisier in (1.0, 3.0):
            word = ", one noisier" if noisier > 1 else ""
            yield scenario(
                designs.samples,
                better,
                (20, 3),
                f"20 blocks for each of 3, 3 metrics{word}",
                public.SAMPLES,
                *(("equal-variances",) if noisier > 1 else ()),
                n=20,
                a=3,
                noisier=noisier,
            )


def of_learners() -> Iterator[Scenario]:
    """Yield learners under three protocols."""
    for better in (0.0, 1.0):
        # A learner that errs less varies less: its variance is smaller by a fifth.
        unequal = ("equal-variances",) if better else ()
        for draw, k, word, *violates in (
            (designs.new_data, 10, "10 new training and test sets"),
            (
                designs.cross_validated,
                10,
                "10-fold cross-validation",
                SHARED,
                "overlap-as-assumed",
            ),
            (
                designs.held_out,
                30,
                "30 training sets, one test set",
                SHARED,
                "new-test-sets",
            ),
        ):
            yield scenario(
                draw,
                better,
                (k, 4),
                f"{word} of 4 learners",
                folds.ON_FOLDS,
                *violates,
                *unequal,
                k=k,
                a=4,
            )


def of_data_sets() -> Iterator[Scenario]:
    """Yield folds of several data sets."""
    for better in (0.0, 0.5, 2.0):
        for spread, word in ((0.0, "alike on each"), (0.5, "alike over data sets")):
            violates = ("these-data-sets",) if spread else ()
            for a, methods in ((2, folds.TWO_MEANS), (4, folds.OF_DATA_SETS)):
                yield scenario(
                    designs.folds_of_data_sets,
                    better,
                    (15, a),
                    f"15 data sets x 10 folds x {a}, {word}",
                    methods,
                    *violates,
                    sets=15,
                    k=10,
                    a=a,
                    interaction=spread,
                )
    for better in (0.0, 2.0):
        for sets, k, a in ((15, 10, 3), (10, 10, 4)):
            yield scenario(
                designs.folds_of_data_sets,
                better,
                (sets, a),
                f"{sets} data sets x {k} overlapping folds x {a}",
                (*folds.OF_DATA_SETS, *folds.OF_OVERLAPPING),
                SHARED,
                sets=sets,
                k=k,
                a=a,
                overlap=True,
            )


def of_metrics() -> Iterator[Scenario]:
    """Yield several metrics together."""
    for better in (0.0, 0.8):
        yield scenario(
            designs.metrics_on_folds,
            better,
            (20, 4),
            "20 folds x 4, 3 metrics",
            (*folds.OF_METRICS, public.VECTORS_PERMUTED),
            n=20,
            a=4,
        )
        yield scenario(
            designs.metrics_of_data_sets,
            better,
            (15, 4),
            "15 data sets x 4, 3 metrics, means of 3 folds",
            folds.OF_METRICS,
            sets=15,
            a=4,
        )


def of_counts() -> Iterator[Scenario]:
    """Yield confusion counts, at one threshold and at five."""
    for better in (0.0, 0.5):
        for spread, word in ((0.0, "alike on each"), (0.3, "alike over data sets")):
            yield scenario(
                designs.confusion_counts,
                better,
                (15, 3),
                f"15 data sets x 8 folds x 3, counts, {word}",
                (folds.RISKS,),
                interaction=spread,
            )
            yield scenario(
                designs.counts_at_thresholds,
                better,
                (15, 3),
                f"15 data sets x 8 folds x 3, counts at 5 thresholds, {word}",
                (folds.at_thresholds("sign"), folds.at_thresholds("any")),
                interaction=spread,
            )
        yield scenario(
            designs.confusion_counts,
            better,
            (15, 3),
            "15 data sets x 8 folds x 3, counts, one risk with other errors",
            (folds.RISKS,),
            trade=0.4,
        )


def of_cases() -> Iterator[Scenario]:
    """Yield scores of the same cases."""
    for better in (0.0, 0.5):
        for n, a in ((60, 4), (200, 4), (200, 8)):
            yield scenario(
                designs.scored_cases,
                better,
                (n, a),
                f"{n} cases x {a}",
                (*folds.AREAS, *(public.AREAS if (n, a) == (200, 4) else ())),
                *(("large-sample",) if n < 100 else ()),
                n=n,
                a=a,
            )


def at_margin(
    rng: np.random.Generator, runs: int, n: int, a: int, overlap: bool, apart: float
) -> truths.Floats:
    """Return folds of which the last is ``apart`` from A1, the rest between them."""
    data = designs.folds(rng, runs, 0.0, n=n, a=a, overlap=overlap)
    return data + apart * np.linspace(0.0, 1.0, a)


def of_margins() -> Iterator[Scenario]:
    """Yield algorithms that differ by a margin exactly, and by less."""
    for n, a, overlap in (
        (15, 2, False),
        (15, 3, False),
        (30, 5, False),
        (10, 2, True),
        (10, 3, True),
    ):
        margin = 4 / np.sqrt(n)
        word = "overlapping folds" if overlap else "blocks"
        claims = folds.corrected_margins if overlap else folds.margins
        methods = claims(margin, a)
        for times, truth in (
            (1.0, "extremes differ by the margin"),
            (0.0, "no algorithm differs"),
        ):
            position = times * np.linspace(0.0, 1.0, a)
            # 0: the difference reaches the margin, so a claim is an error.
            claimed = (np.abs(position[:, None] - position[None, :]) < 1).astype(
                np.int8
            )
            yield Scenario(
                truth=truth,
                design=f"{n} {word} x {a}, margin {margin:.2f}",
                n=n,
                a=a,
                draw=partial(
                    at_margin, n=n, a=a, overlap=overlap, apart=times * margin
                ),
                signs={MARGIN: claimed},
                violates=frozenset({SHARED} if overlap else ()),
                methods=methods,
            )


SCENARIOS = (
    *of_tables(),
    *of_folds(),
    *of_partial_nulls_on_folds(),
    *of_gaps(),
    *of_one_size(),
    *of_strata(),
    *of_runs(),
    *of_samples(),
    *of_learners(),
    *of_data_sets(),
    *of_metrics(),
    *of_counts(),
    *of_cases(),
    *of_margins(),
)
