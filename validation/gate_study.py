"""False passes and false fails of a gate, simulated, beside rules of other programs.

``python -m validation.gate_study`` runs what ``gate_study.json`` does not have, and
writes ``GATE.md``. The name of a law is its seed. Exact tests of one pair are
enumerated in ``MATCHED_SHARES.md``.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import stats

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.base.parallel.progress import Progress, on_stderr
from pycompare.base.typing import Floats
from pycompare.kernels.matched_pairs import exact_p
from pycompare.methods.cases.loss_tests import loss_test
from pycompare.results.adjust import adjust

from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "gate_study.json", HERE / "GATE.md"
ALPHA = 0.025
RUNS, FEWER = 4000, 1000
"""Gates of a law, and of a costly one."""
_VERDICTS = ("pass", "fail")
Answers = Floats
"""Answers of baseline and candidate: items x 2, or items x 2 x runs."""


@dataclass(frozen=True)
class Law:
    """How answers come about, and which verdict would be false.

    Attributes
    ----------
    draw : callable
        Answers of each slice, whose union is the whole, from a generator.
    margins : tuple of float
        Of the whole, and of slices.
    false : str
        ``pass``, ``fail`` or ``"pass, fail"``; empty if neither is.
    options : dict
        Of ``loss_test``; ``size`` is that of clusters.
    level : float
    runs : int
    budget : int
        Gates with these items; one false verdict among them counts.
    """

    draw: Callable[[Generator], list[Answers]]
    margins: tuple[float, float]
    false: str
    options: Mapping[str, Any]
    level: float = ALPHA
    runs: int = RUNS


# ---- how answers come about ----------------------------------------------------------


def paired(n: int, discordance: float, difference: float, parts: int = 1) -> Any:
    """Draw right/wrong answers, with a difference of shares in each part."""
    wins, losses = (discordance + difference) / 2, (discordance - difference) / 2
    return mixed([(n // parts, wins, losses)] * parts)


def mixed(parts: list[tuple[int, float, float]]) -> Any:
    """Draw right/wrong answers of slices: items, shares won, shares lost."""

    def draw(rng: Generator) -> list[Answers]:
        return [
            counted(*map(int, rng.multinomial(n, [w, x, 1 - w - x])[:2]), n)
            for n, w, x in parts
        ]

    return draw


@lru_cache(maxsize=4096)
def counted(wins: int, losses: int, n: int) -> Answers:
    """Return answers with so many wins and losses of the candidate."""
    answers = np.ones((n, 2))
    answers[:wins, 0] = 0
    answers[wins : wins + losses, 1] = 0
    return answers


def lost(n: int, margin: float, runs: int, size: int = 1) -> Any:
    """Draw answers of which the candidate loses whole items, or texts, rarely."""

    def draw(rng: Generator) -> list[Answers]:
        gone = np.repeat(rng.random(n // size) < margin / 0.95, size)
        right = np.repeat(rng.random((n, 1, 1)) < 0.95, 2, axis=1).repeat(runs, axis=2)
        kept: Answers = right.astype(float)
        kept[gone, 1] = 0
        answers = kept if runs > 1 else kept[:, :, 0]
        return [answers]

    return draw


def answered(n: int, difference: float, runs: int) -> Any:
    """Draw several answers to each item; the candidate differs alike on all."""

    def draw(rng: Generator) -> list[Answers]:
        chance = rng.uniform(0.2, 0.9, (n, 1)) + np.array([0.0, difference])
        return [(rng.random((n, 2, runs)) < chance[:, :, None]).astype(float)]

    return draw


def judged(n: int, loss: float) -> Any:
    """Draw grades 0, 0.5, 1 of which the candidate loses whole ones so often."""

    def draw(rng: Generator) -> list[Answers]:
        x = rng.choice([0.0, 0.5, 1.0], n, p=[0.1, 0.1, 0.8])
        other = np.where(rng.random(n) < loss / x.mean(), 0.0, x)
        return [np.stack([x, other], axis=1)]

    return draw


def twice(n: int) -> Any:
    """Draw two answers of one model to each item."""

    def draw(rng: Generator) -> list[Answers]:
        chance = rng.beta(2, 0.7, (n, 1))
        return [(rng.random((n, 2)) < chance).astype(float)]

    return draw


_M = 0.05
_R: dict[str, Any] = {"decided_by": "bounded", "limits": (0.0, 1.0)}
_T: dict[str, Any] = {"decided_by": "t", "limits": (0.0, 1.0)}
LAWS: dict[str, Law] = {
    **{
        f"{n} items, one answer, {d:.0%} discordant, loss {_M}": Law(
            paired(n, d, -_M), (_M, _M), "pass, fail", {}
        )
        for n in (100, 500)
        for d in (0.08, 0.3)
    },
    "500 items, one answer, 10% discordant, no loss": Law(
        paired(500, 0.1, 0.0), (_M, _M), "fail", {}
    ),
    "500 items, one answer, 10% discordant, no loss, budget 20": Law(
        paired(500, 0.1, 0.0), (_M, _M), "fail", {}, ALPHA / 20
    ),
    "500 items, one answer, loss 0.05, budget 20": Law(
        paired(500, 0.1, -_M), (_M, _M), "pass, fail", {}, ALPHA / 20
    ),
    "the same model twice, 400 items": Law(twice(400), (_M, _M), "fail", {}),
    **{
        f"200 items, 5 answers, {what}": Law(
            draw, (_M, _M), "pass, fail", {}, runs=FEWER
        )
        for what, draw in (
            (f"alike loss {_M}", answered(200, -_M, 5)),
            ("whole items lost rarely", lost(200, _M, 5)),
        )
    },
    "100 texts of 5 items, whole texts lost rarely": Law(
        lost(500, _M, 1, 5), (_M, _M), "pass, fail", {"size": 5}, runs=FEWER
    ),
    "200 items, grades, whole losses, bounded": Law(
        judged(200, _M), (_M, _M), "pass, fail", _R, runs=FEWER
    ),
    "200 items, grades, whole losses, t": Law(
        judged(200, _M), (_M, _M), "pass, fail", _T, runs=FEWER
    ),
    "these 100 items, 5 answers, alike loss 0.05": Law(
        answered(100, -_M, 5), (_M, _M), "pass, fail", {"items_scope": "fixed"},
        runs=FEWER,
    ),
    **{
        f"2000 items, {k} slices, one at its margin 0.05": Law(
            mixed([(2000 // k, 0.05, 0.05)] * (k - 1) + [(2000 // k, 0.02, 0.07)]),
            (0.02, _M), "pass", {}, runs=FEWER,
        )
        for k in (3, 10)
    },
    **{
        f"2000 items, {k} slices, all at their margins 0.05": Law(
            paired(2000, 0.1, -_M, k), (_M, _M), "pass, fail", {}, runs=FEWER
        )
        for k in (3, 10)
    },
    **{
        f"2000 items, {k} slices, no loss": Law(
            paired(2000, 0.1, 0.0, k), (0.02, _M), "fail", {}, runs=FEWER
        )
        for k in (3, 10)
    },
}  # fmt: skip


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
    options = {name: law.options[name] for name in law.options if name != "size"}
    size = law.options.get("size")
    if x.ndim == 2 and not law.options:
        d = x[:, 1] - x[:, 0]
        counts = (int((d > 0).sum()), int((d < 0).sum()), len(d))
        return _exact(*counts, margin, law.level)
    n, _, *runs = x.shape
    more: dict[str, Any] = {}
    if runs:
        more = {"runs": x[:, :, None], "replicates": tuple(map(str, range(runs[0])))}
    if size is not None:
        more["clusters"] = tuple(map(str, (np.arange(n) // size).tolist()))
    scores = pc.Scores(
        values=(x.mean(axis=-1) if runs else x)[:, :, None],
        blocks=tuple(map(str, range(n))),
        algorithms=("old", "new"),
        metrics=(Metric("score", "higher"),),
        **more,
    )
    tested = loss_test(scores, margin=margin, alpha=law.level, **options)
    return tested.p_not_worse, tested.p_worse


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


def page(found: Mapping[str, Any]) -> str:
    """Return the page of the study."""
    rows = [
        [
            "law", "gates", "level", "false", "gate: pass", "fail",
            "95% t intervals: pass", "fail", "estimate: pass", "fail",
        ]
    ]  # fmt: skip
    for name, law in LAWS.items():
        shares = [
            f"**{found[name][rule][said]:.3f}**"
            if said in law.false
            else f"{found[name][rule][said]:.3f}"
            for rule in RULES
            for said in _VERDICTS
        ]
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
            "",
            *table_lines(rows),
            "",
        ]
    )


def main() -> None:
    """Run what is not stored, and write the page."""
    found: dict[str, Any] = {}
    if STORED.exists():
        found = json.loads(STORED.read_text(encoding="utf-8"))
    missing = [name for name in LAWS if name not in found]
    progress = Progress(len(missing), "rows", on_stderr("gate"))
    for name in missing:
        found[name] = simulated(name)
        STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        progress.step()
    found = {name: found[name] for name in LAWS}
    STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
