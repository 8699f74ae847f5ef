"""False passes and false fails of a gate, simulated, beside rules of other programs.

``python -m validation.gate_study`` runs what ``gate_study.json`` does not have, and
writes ``GATE.md``. The name of a law is its seed. Exact tests of one pair are
enumerated in ``MATCHED_SHARES.md``.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special, stats

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.kernels.matched_pairs import (
    exact_p,
    least_units,
    least_wins,
    score_statistic,
)
from pycompare.methods.cases.loss_tests import LossTest, fewest_units, loss_test
from pycompare.results.adjust import adjust
from validation.cells import finish_parts

from .gate_laws import ALPHA, LAWS, Answers, Law, judged, shared, texts
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "gate_study.json", HERE / "GATE.md"
_VERDICTS = ("pass", "fail")
MARGINS, LEVELS = (0.01, 0.02, 0.03, 0.05, 0.1), (0.025, 0.0125, 0.00125)
"""Of the smallest sizes: budgets of 1, 2 and 20."""
# ---- verdicts ------------------------------------------------------------------------


@lru_cache(maxsize=200_000)
def _exact(
    wins: int, losses: int, n: int, margin: float, level: float
) -> tuple[float, float]:
    """Return both exact p-values: equal counts come again and again."""
    sides = ("greater", "less")
    p = [exact_p(wins, losses, n, -margin, side, level / 1000) for side in sides]
    return p[0], p[1]


def p_values(x: Answers, margin: float, law: Law) -> tuple[float, float]:
    """Return the p-values of not worse and of worse."""
    options = {name: law.options[name] for name in law.options if name != "sizes"}
    sizes = law.options.get("sizes")
    if x.ndim == 2 and not law.options:
        d = x[:, 1] - x[:, 0]
        counts = (int((d > 0).sum()), int((d < 0).sum()), len(d))
        return _exact(*counts, margin, law.level)
    tested = test_of(x, margin, law.level, sizes, options)
    return tested.p_not_worse, tested.p_worse


def test_of(
    x: Answers,
    margin: float,
    level: float,
    sizes: Sequence[int] | None,
    options: Mapping[str, Any],
) -> LossTest:
    """Return both tests of answers; ``sizes`` are those of clusters."""
    n, _, *runs = x.shape
    more: dict[str, Any] = {}
    if runs:
        more = {"runs": x[:, :, None], "replicates": tuple(map(str, range(runs[0])))}
    if sizes is not None:
        owners = np.repeat(np.arange(len(sizes)), sizes)
        more["clusters"] = tuple(map(str, owners.tolist()))
    scores = pc.Scores(
        values=(x.mean(axis=-1) if runs else x)[:, :, None],
        blocks=tuple(map(str, range(n))),
        algorithms=("old", "new"),
        metrics=(Metric("score", "higher"),),
        **more,
    )
    return loss_test(scores, margin=margin, alpha=level, **options)


def verdict(parts: list[Answers], law: Law) -> str:
    """Return the verdict of a gate: the whole, and its slices if there are several."""
    sets = [np.concatenate(parts), *(parts if len(parts) > 1 else [])]
    margins = [law.margins[0], *[law.margins[1]] * (len(sets) - 1)]
    p = np.array([p_values(x, m, law) for x, m in zip(sets, margins, strict=True)])
    if (p[:, 0] <= law.level).all():
        return "pass"
    failed = (np.asarray(adjust(p[:, 1], "holm")) <= law.level).any()
    return "fail" if failed else "undecided"


def by_intervals(parts: list[Answers], law: Law) -> str:
    """Return the verdict of 95% t intervals of each slice, without any adjustment."""
    verdicts = []
    for x in (np.concatenate(parts), *(parts if len(parts) > 1 else [])):
        means = x.mean(axis=-1) if x.ndim == 3 else x
        d = means[:, 1] - means[:, 0]
        half = stats.t.ppf(0.975, len(d) - 1) * d.std(ddof=1) / math.sqrt(len(d))
        verdicts.append((d.mean() - half, d.mean() + half))
    margins = [law.margins[0], *[law.margins[1]] * (len(verdicts) - 1)]
    if all(low > -m for (low, _), m in zip(verdicts, margins, strict=True)):
        return "pass"
    worse = any(high < -m for (_, high), m in zip(verdicts, margins, strict=True))
    return "fail" if worse else "undecided"


def by_estimate(parts: list[Answers], law: Law) -> str:
    """Return the verdict of the estimates alone."""
    sets = [np.concatenate(parts), *(parts if len(parts) > 1 else [])]
    margins = [law.margins[0], *[law.margins[1]] * (len(sets) - 1)]
    differences = [float((x[:, 1] - x[:, 0]).mean()) for x in sets]
    good = all(d > -m for d, m in zip(differences, margins, strict=True))
    return "pass" if good else "fail"


RULES: dict[str, Callable[[list[Answers], Law], str]] = {
    "gate": verdict,
    "95% t intervals": by_intervals,
    "estimate": by_estimate,
}


def simulated(name: str) -> dict[str, dict[str, float]]:
    """Return the shares of passes and of fails by each rule."""
    law = LAWS[name]
    counts = {rule: dict.fromkeys(_VERDICTS, 0) for rule in RULES}
    for run in range(law.runs):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        parts = law.draw(rng)
        for rule, decide in RULES.items():
            said = decide(parts, law)
            if said in _VERDICTS:
                counts[rule][said] += 1
    return {
        rule: {said: count / law.runs for said, count in of.items()}
        for rule, of in counts.items()
    }


def bound(law: Law) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return law.level + 3 * math.sqrt(law.level * (1 - law.level) / law.runs)


_BOUNDED: dict[str, Any] = {"decided_by": "bounded", "limits": (0.0, 1.0)}
_SIZES = (1, 2, 3, 4) * 15
KINDS: dict[str, tuple[Any, Mapping[str, Any]]] = {
    "exact": (lambda m: shared(150, 0.8, m, 1), {}),
    "effective size": (lambda m: shared(120, 0.8, m, 3), {}),
    "effective size, texts": (lambda m: texts(_SIZES, m), {"sizes": _SIZES}),
    "bounded": (lambda m: judged(120, m), _BOUNDED),
    "t": (lambda m: judged(120, m), {"decided_by": "t", "limits": (0.0, 1.0)}),
    "these items": (lambda m: shared(120, 0.8, m, 3), {"items_scope": "fixed"}),
}
"""Answers by a loss and options of each kind of test."""
TABLES = 1000


def contradicted(kind: str, tables: int) -> int:
    """Return in how many tables a limit contradicts a decision, of losses near 0.1."""
    law_of, given = KINDS[kind]
    options = {name: held for name, held in given.items() if name != "sizes"}
    rng, margin, wrong = np.random.default_rng(zlib.crc32(kind.encode())), 0.1, 0
    for _ in range(tables):
        [x] = law_of(float(rng.uniform(0.0, 0.2)))(rng)
        x = x[:, :, 0] if x.ndim == 3 and x.shape[2] == 1 else x
        tested = test_of(x, margin, ALPHA, given.get("sizes"), options)
        passes, fails = tested.p_not_worse <= ALPHA, tested.p_worse <= ALPHA
        low, high = tested.interval(ALPHA, ALPHA, not_worse=passes, worse=fails)
        wrong += (low > -margin) != passes or (high < -margin) != fails
        wrong += not low <= tested.difference <= high
    return wrong


def predicted(law: Law) -> float:
    """Return the probability of a pass by ``pc.power``; NaN if it is not predicted."""
    if not law.sized:
        return math.nan
    n = sum(len(part) for part in law.draw(np.random.default_rng(0)))
    design = pc.sizes.Gate(margin=law.margins[0], discordance=law.sized)
    return design.formula(n, law.level)


def smallest(margin: float, level: float) -> dict[str, float]:
    """Return the fewest items with which equal answers pass, and why no fewer do.

    ``p``: the largest probability, over shares of discordant items, of a table that is
    as far from the margin as equal answers to the fewest items of any valid test;
    ``share``: that share.
    """
    least = least_units(margin, level)
    gamma = level / 1000
    high = float(special.betainccinv(1, least, gamma / 2))
    shares = np.linspace(margin, high, 400)
    p = [at_least(least, margin, share) for share in shares.tolist()]
    return {
        "least": least,
        "exact": fewest_units("exact", margin, 1.0, level),
        "p": max(p),
        "share": float(shares[int(np.argmax(p))]),
    }


def at_least(n: int, margin: float, share: float) -> float:
    """Return P(statistic >= that of equal answers) if the loss is the margin."""
    counts = np.arange(n + 1.0)
    observed = float(score_statistic(0, 0, n, -margin))
    least = least_wins(counts, n, -margin, observed)
    of_wins = (share - margin) / (2 * share)
    given = stats.binom.sf(least - 1, counts, of_wins)
    return float(stats.binom.pmf(counts, n, share) @ given)


def size_lines(sizes: Mapping[str, Any]) -> list[str]:
    """Return the section about the smallest sizes."""
    rows = [
        ["margin", "level", "any valid test", "exact test", "p with the fewer", "at"]
    ] + [
        [
            *key.split(", "), str(s["least"]), str(s["exact"]), f"{s['p']:.5f}",
            f"{s['share']:.3f}",
        ]
        for key, s in sizes.items()
    ]  # fmt: skip
    return [
        "",
        "## Smallest sizes",
        "",
        "If the loss is the margin m and the models differ in nothing else, all n "
        "items have equal answers",
        "with probability (1 - m)^n. So a valid test at level a that passes them needs "
        "n >= ln a / ln(1 - m)",
        "(*any valid test*). The test that passes without a single loss attains this. "
        "The exact test orders",
        "tables by the score statistic: some tables with losses and more wins are as "
        "far from the margin as",
        "equal answers, and their probability adds up. *p with the fewer*: the "
        "probability of all these tables",
        "with the items of *any valid test*, at the share of discordant items *at*. If "
        "it is above the level,",
        "equal answers to so few items do not pass. Sizes are enumerated; from the "
        "smallest on every size passes",
        "(checked up to twice the smallest).",
        "",
        *table_lines(rows),
    ]


def page(found: Mapping[str, Any]) -> str:
    """Return the page of the study."""
    rows = [
        [
            "law", "gates", "level", "false", "gate: pass", "predicted", "fail",
            "95% t intervals: pass", "fail", "estimate: pass", "fail",
        ]
    ]  # fmt: skip
    sizes, contradictions = found["sizes"], found["contradictions"]
    found = found["laws"]
    for name, law in LAWS.items():
        foreseen = predicted(law)
        shares = [
            f"**{found[name][rule][said]:.3f}**"
            if said in law.false
            else f"{found[name][rule][said]:.3f}"
            for rule in RULES
            for said in _VERDICTS
        ]
        shares.insert(1, "–" if math.isnan(foreseen) else f"{foreseen:.3f}")
        rows.append([name, str(law.runs), f"{law.level:g}", law.false, *shares])
    return "\n".join(
        [
            "# A gate: false passes and false fails",
            "",
            "Written by `python -m validation.gate_study`. Bold: a false verdict. "
            "*95% t intervals* of the whole",
            "and of each slice, passes above the margin and fails below it, without "
            "adjustment; *estimate* decides",
            "by the difference alone. Tests at the effective size and t tests can "
            "exceed their level if losses",
            "are rare and whole; pages of a gate state it. Exact tests are enumerated "
            "in [Shares](MATCHED_SHARES.md).",
            "*Predicted*: the probability of a pass by `pc.power` (`sizes.Gate`) of "
            "equal models.",
            "",
            *table_lines(rows),
            *size_lines(sizes),
            "",
            f"## Limits and decisions in {TABLES:,} random tables",
            "",
            "Limits that contradict a decision, or leave out the estimate: "
            + "; ".join(f"{kind} {n}" for kind, n in contradictions.items())
            + ".",
            "",
        ]
    )


def main() -> None:
    """Run what is not stored, and write the page."""
    of_parts = {"laws": LAWS}
    found = finish_parts(STORED, of_parts, lambda _, name: simulated(name), "gate")
    found = {
        **found,
        "sizes": {f"{m}, {a}": smallest(m, a) for a in LEVELS for m in MARGINS},
        "contradictions": {kind: contradicted(kind, TABLES) for kind in KINDS},
    }
    _store(found)
    PAGE.write_text(page(found), encoding="utf-8")


def _store(found: Mapping[str, Any]) -> None:
    """Keep what is finished."""
    STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
