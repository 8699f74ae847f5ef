"""Checks of rank tests, their pairs, adjusted p-values, and the kernels of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import StdError
from pycompare.data.blocks import ranked_blocks
from pycompare.kernels import exhaustive, friedman_exact, studentized_range
from pycompare.methods.ranks.pairs import RankMethod, RankPValue
from pycompare.results.adjust import ADJUSTMENTS
from pycompare.results.result import Result, Test

from .. import cases as data
from ..agreement import Case, Check, Package, Wanted
from ..making import CLOSED, TAIL, check

ABSOLUTE = Wanted(11, "coin and multcomp compute 1 - cdf", floor=1e-3)
PTUKEY = Wanted(8, "R's ptukey has absolute accuracy only", floor=1e-3)
QTUKEY = Wanted(7, "the root of R's ptukey, which has absolute accuracy only")
QTUKEY_LIMIT = Wanted(7, "the root of R's ptukey, absolute accuracy", floor=0.1)
ROOT = Wanted(9, "R's uniroot ends at its tolerance")
SADDLEPOINT = Wanted(11, "cancellation of 1 / u - 1 / w near the centre")
FLIP_FILES = (
    *("ranks", "aligned_ranks", "quade", "sign_flips", "adjust"),
    "rank_pairs",
)
FLIPPED: tuple[RankMethod, ...] = ("friedman", "aligned", "quade")
METHODS: tuple[tuple[RankMethod, StdError], ...] = (
    ("friedman", "textbook"),
    ("friedman", "permutation"),
    ("aligned", "textbook"),
    ("aligned", "permutation"),
    ("quade", "textbook"),
    ("quade", "permutation"),
    ("skillings-mack", "permutation"),
)


def rank_checks() -> list[Check]:
    """Return the checks of this file."""
    return [
        *omnibus_checks(),
        *pair_checks(),
        *adjust_checks(),
        *second_witnesses(),
        *kernel_checks(),
    ]


def omnibus_checks() -> list[Check]:
    """Return the checks of the tests of no difference at all."""
    made = [
        check(
            f"Friedman, Iman-Davenport, Kendall's W ({ties})",
            Package("stats::friedman.test")
            if ties == "corrected"
            else "formula of the papers",
            data.COMPLETE,
            partial(pc.friedman, ties=ties),
            iman_davenport_p_value=TAIL,
            kendall_w_conf_low=TAIL,
            kendall_w_conf_high=TAIL,
        )
        for ties in ("corrected", "uncorrected")
    ]
    made += [
        check(
            f"aligned ranks ({ties})",
            "derivation in R",
            data.COMPLETE,
            partial(pc.aligned_ranks, ties=ties),
        )
        for ties in ("corrected", "uncorrected")
    ]
    made += [
        check(
            f"Skillings-Mack ({ties})",
            "derivation in R",
            data.INCOMPLETE,
            partial(pc.skillings_mack, ties=ties),
        )
        for ties in ("corrected", "uncorrected")
    ]
    made.append(check("Quade", Package("stats::quade.test"), data.COMPLETE, pc.quade))
    return made


def pair_checks() -> list[Check]:
    """Return the checks of pairs of mean ranks, raw and adjusted."""
    bounds = {"conf_low": QTUKEY, "conf_high": QTUKEY}
    made = [
        check(
            f"pairs of {method} ranks, {rule} standard error",
            "pnorm",
            data.INCOMPLETE if method == "skillings-mack" else data.COMPLETE,
            partial(pc.rank_pairs, method=method, std_error=rule, adjust="holm"),
            **bounds,
        )
        for method, rule in METHODS
    ]
    small = {k: v for k, v in data.COMPLETE.items() if "x8" not in k}
    made += [
        check(
            f"pairs adjusted: {name}",
            r_behind(name),
            small,
            partial(pc.rank_pairs, adjust=name),
            p_adjusted={"nemenyi": PTUKEY, "rom": ROOT}.get(name, TAIL),
            **bounds,
        )
        for name in ADJUSTMENTS
    ]
    made += [
        check(
            f"against a control: {name}",
            r_behind(name),
            data.COMPLETE,
            partial(against_last, adjust=name),
            p_adjusted=ROOT if name == "rom" else TAIL,
        )
        for name, a in ADJUSTMENTS.items()
        if not a.pairs_only
    ]
    made.append(
        check(
            "pairs of friedman ranks, exact p",
            "convolution in R",
            small,
            partial(pc.rank_pairs, p_value="exact"),
            **bounds,
        )
    )
    made += [
        check(
            f"pairs of {method} ranks, sign flips",
            "all signs listed or walked over in R",
            small,
            partial(pc.rank_pairs, method=method, p_value="sign-flips"),
        )
        for method in FLIPPED
    ]
    made += [
        check(
            "pairs of friedman ranks, sign flips against a control",
            "all signs listed or walked over in R",
            data.COMPLETE,
            partial(against_last, adjust="holm", p_value="sign-flips"),
        ),
        check(
            "pairs of friedman ranks, sign flips of many blocks",
            "saddlepoint approximation in R",
            data.MANY_BLOCKS,
            partial(pc.rank_pairs, p_value="sign-flips"),
            p_value=SADDLEPOINT,
            p_adjusted=SADDLEPOINT,
        ),
    ]
    made.append(
        check(
            "Durbin's pairs, balanced incomplete blocks",
            "lm() of the ranks",
            data.BALANCED,
            partial(pc.durbin_pairs, adjust="shaffer"),
            p_value=TAIL,
            p_adjusted=TAIL,
        )
    )
    made.append(
        check(
            "Durbin's pairs against a control",
            "lm() of the ranks",
            data.BALANCED,
            durbin_against_last,
            p_value=TAIL,
            p_adjusted=TAIL,
        )
    )
    made.append(
        check(
            "Nemenyi with critical difference",
            "ptukey, qtukey",
            data.COMPLETE,
            pc.nemenyi,
            p_adjusted=PTUKEY,
            critical_difference=QTUKEY,
            conf_low=QTUKEY_LIMIT,
            conf_high=QTUKEY_LIMIT,
        )
    )
    made.append(
        check(
            "Nemenyi, standard error corrected for ties",
            "ptukey, qtukey",
            data.COMPLETE,
            partial(pc.nemenyi, std_error="permutation"),
            p_adjusted=PTUKEY,
            critical_difference=QTUKEY,
            conf_low=QTUKEY_LIMIT,
            conf_high=QTUKEY_LIMIT,
        )
    )
    made.append(
        check(
            "probability of superiority, sign tests",
            Package("prop.test(correct = FALSE), binom.test"),
            data.COMPLETE,
            partial(pc.superiority, adjust="holm"),
        )
    )
    some = ("normal 10x3", "normal 50x4, lower is better")
    made.append(
        check(
            "probability of superiority, medians of ratios",
            Package("prop.test(correct = FALSE), binom.test"),
            data.positive({name: data.COMPLETE[name] for name in some}),
            partial(pc.superiority, adjust="holm", scale="ratio"),
        )
    )
    made.append(
        check(
            "probability of superiority, with a control",
            Package("prop.test(correct = FALSE), binom.test"),
            data.COMPLETE,
            partial(superiority_to_last, adjust="holm"),
        )
    )
    made.append(
        check(
            "probability of superiority, simultaneous intervals",
            "derivation of Tango's limits, uniroot",
            data.COMPLETE,
            partial(pc.superiority, simultaneous=True),
            conf_low=ROOT,
            conf_high=ROOT,
        )
    )
    return made


def durbin_against_last(scores: pc.Scores) -> Result:
    """Compare the last algorithm with all others in balanced incomplete blocks."""
    return pc.durbin_pairs(scores, control=scores.algorithms[-1])


def against_last(
    scores: pc.Scores, adjust: str, p_value: RankPValue = "normal"
) -> Result:
    """Compare the last algorithm with all others."""
    control = scores.algorithms[-1]
    return pc.rank_pairs(scores, control=control, adjust=adjust, p_value=p_value)


def superiority_to_last(scores: pc.Scores, adjust: str) -> Result:
    """Count wins of the other algorithms over the last one."""
    return pc.superiority(scores, control=scores.algorithms[-1], adjust=adjust)


def r_behind(name: str) -> str:
    """Say what R has for an adjustment."""
    if name in ("bonferroni", "holm", "hochberg", "hommel", "BH", "BY", "none"):
        return Package("stats::p.adjust")
    if name in ("shaffer-dynamic", "bergmann-hommel", "hochberg-rom"):
        return "enumeration by partitions::setparts"
    return Package("stats::ptukey") if name == "nemenyi" else "derivation in R"


def adjust_checks() -> list[Check]:
    """Return the checks of ``adjust`` on families of any p-values."""
    made = []
    for name, chosen in ADJUSTMENTS.items():
        rules = {"*": {"nemenyi": PTUKEY, "rom": ROOT}.get(name, CLOSED)}
        forms = (False, True) if name == "bergmann-hommel" else (False,)
        for monotone in forms:
            title = f"adjust: {name}{', monotone' if monotone else ''}"
            families = data.p_tables if chosen.pairs_only else data.p_vectors
            make = partial(adjust_cases, families, name, monotone)
            made.append(Check(title, r_behind(name), make, rules))
    return made


def adjust_cases(
    families: Callable[[], dict[str, Any]], name: str, monotone: bool
) -> list[Case]:
    """Return one case per family of p-values."""
    return [adjust_case(title, p, name, monotone) for title, p in families().items()]


def adjust_case(title: str, p: Any, name: str, monotone: bool) -> Case:
    """Return one family; tables are compared pair by pair."""
    arguments = {"p": p, "method": name, "monotone": monotone}
    adjusted = pc.adjust(p, name, monotone=monotone)
    if np.ndim(p) == 2:
        adjusted = adjusted[np.triu_indices(len(p), 1)]
    call = RCall(("adjust",), "adjust_reference", arguments)
    return Case(title, call, {"p_adjusted": adjusted})


def second_witnesses() -> list[Check]:
    """Return checks against a second R package for what one already covers."""
    small = ("normal 10x3", "garcia-herrera 30x5", "no difference 12x5")

    def multcomp() -> Iterator[Case]:
        for name in small:
            pairs = pc.rank_pairs(data.COMPLETE[name](), adjust="shaffer-dynamic")
            arguments = {
                "mean_ranks": pairs.positions.to_numpy(),
                "std_error": float(pairs.table["std_error"][0]),
            }
            call = RCall(("adjust",), "shaffer_dynamic_multcomp_reference", arguments)
            ours = {"p_adjusted": pairs.table["p_adjusted"].to_numpy()}
            yield Case(name, call, ours)

    def coin(
        files: tuple[str, ...], function: str, method: Callable[[pc.Scores], Test]
    ) -> Iterator[Case]:
        for name, make in data.COMPLETE.items():
            scores = make()
            call = RCall(
                files, function, ranked_blocks(scores, None, None).r_arguments()
            )
            test = method(scores)
            ours = {"statistic": test.statistic, "p_value": test.p_value}
            yield Case(name, call, ours)

    def flips() -> Iterator[Case]:
        for name in (*small, "two algorithms 15x2", "ties 12x4", "strange names 9x6"):
            for method in FLIPPED:
                pairs = pc.rank_pairs(
                    data.COMPLETE[name](), method=method, p_value="sign-flips"
                )
                arguments = {**pairs.blocks.r_arguments(), "method": method}
                call = RCall(FLIP_FILES, "flipped_pairs_coin_reference", arguments)
                ours = pairs.columns_in_r("p_value")
                yield Case(f"{name}, {method}", call, ours)

    rules = {"*": CLOSED, "p_value": ABSOLUTE}
    friedman = ("ranks", "friedman_exact"), "friedman_coin_reference"
    aligned = ("ranks", "aligned_ranks"), "aligned_ranks_coin_reference"
    return [
        Check(
            "Shaffer dynamic, second witness",
            Package('multcomp::adjusted("Shaffer")'),
            multcomp,
            {"*": ABSOLUTE},
        ),
        Check(
            "pairs by sign flips, second witness",
            Package('coin::symmetry_test(distribution = "exact")'),
            flips,
            {"*": ABSOLUTE},
        ),
        Check(
            "Friedman, second witness",
            Package("coin::friedman_test"),
            partial(coin, *friedman, pc.friedman),
            rules,
        ),
        Check(
            "aligned ranks, second witness",
            Package("coin::symmetry_test"),
            partial(coin, *aligned, pc.aligned_ranks),
            rules,
        ),
    ]


def kernel_checks() -> list[Check]:
    """Return the checks of exact distributions and counts."""

    def exact() -> Iterator[Case]:
        for title, make in data.TINY.items():
            result = pc.friedman(make(), p_value="exact")
            call = RCall(
                ("ranks", "friedman_exact"),
                "friedman_exact_reference",
                result.blocks.r_arguments(),
            )
            p = friedman_exact.exact_p_value(result.blocks.ranks())
            yield Case(f"{title}, every order listed", call, {"p_value": p})
            again = result.r_call()
            yield Case(f"{title}, block by block", again, {"p_value": p})

    def counts() -> Iterator[Case]:
        for a in range(2, 9):
            call = RCall(("exhaustive",), "exhaustive_reference", {"a": a})
            ours = {
                "n_exhaustive_sets": exhaustive.n_exhaustive_sets(a),
                "possible_counts": exhaustive.possible_counts(a),
            }
            yield Case(f"{a} algorithms", call, ours)

    def lists() -> Iterator[Case]:
        for a in range(2, 9):
            call = pc.exhaustive_sets(a)
            yield Case(f"{a} algorithms", call.r_call(), call.r_values())
        for title, p in data.p_tables().items():
            if len(p) <= 9:
                tested = pc.exhaustive_sets(len(p), p=p)
                yield Case(title, tested.r_call(), tested.r_values())

    def ranges() -> Iterator[Case]:
        q = np.array([0.5, 1.0, 2.0, 3.0, 3.5, 4.0, 5.0])
        for k in (2, 3, 5, 10):
            for df in (10.0, 30.0, 116.0, np.inf):
                arguments = {"q": q, "a": k, "df": df}
                call = RCall(
                    ("studentized_range",), "studentized_range_reference", arguments
                )
                ours = {"p_value": np.asarray(studentized_range.sf(q, k, df))}
                yield Case(f"k = {k}, df = {df:g}", call, ours)

    return [
        Check("Friedman, exact p", "all permutations in R", exact, {"*": CLOSED}),
        Check(
            "exhaustive sets",
            Package("partitions::setparts"),
            counts,
            {"*": Wanted(15, "whole numbers")},
        ),
        Check(
            "exhaustive sets, listed and tested",
            Package("partitions::setparts"),
            lists,
            {"*": CLOSED},
        ),
        Check(
            "studentised range, centre",
            Package("stats::ptukey"),
            ranges,
            {"*": Wanted(8, PTUKEY.why, floor=1e-2)},
        ),
    ]
