"""Decisions, intervals and sets of ranks of typical differences, on known truth.

``python -m validation.typical_differences [--runs N] [--again]`` runs what
``typical_differences.json`` does not have, or all of it again, and writes
``TYPICAL_DIFFERENCES.md``. Every run calls the public function on a new table. A
decision is false if the typical difference (the pseudomedian) of its pair is 0, or is
in favour of the other algorithm. The name of a law and its size are its seed.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pycompare as pc
from pycompare.data.blocks import Scale
from pycompare.designs.pair_methods import typical_defaults
from pycompare.kernels.signed_rank import MOST
from validation.cells import cells_of

from .markdown import table
from .published_tables import EMBEDDINGS, TIME_SERIES
from .published_tables import scores as published

HERE = Path(__file__).parent
STORED, PAGE = HERE / "typical_differences.json", HERE / "TYPICAL_DIFFERENCES.md"
Floats = NDArray[np.float64]
Rng = np.random.Generator
RUNS = 2000
ALPHA = 0.05
PERMUTATIONS = 499
SIZES = ((6, 3), (8, 5), (10, 4), (10, 8), (15, 5), (30, 5), (60, 8))
"""Data sets and algorithms."""
FEWER = {(60, 8): 4, (10, 8): 4}
"""What the number of runs is divided by where a run costs more."""


@dataclass(frozen=True)
class Law:
    """A law of scores, higher is better.

    Attributes
    ----------
    name : str
    draw : callable
        ``(rng, n, a)`` to scores (n, a), NaN where a cell is missing.
    level : callable or None
        Algorithms to levels whose differences are the typical ones.
    signs : callable or None
        Without levels: algorithms to the signs (a, a) of the typical differences.
    keeps : str
        What the law keeps of the conditions: "exchangeable" (equal algorithms are),
        "jointly symmetric" (their differences are), "symmetric" or nothing.
    scale : {"difference", "ratio"}
        What is compared; ``level`` then has logarithms.
    sizes : tuple
        Data sets and algorithms.
    """

    name: str
    draw: Callable[[Rng, int, int], Floats]
    level: Callable[[int], Floats] | None
    keeps: str
    signs: Callable[[int], NDArray[np.int8]] | None = None
    scale: Scale = "difference"
    sizes: tuple[tuple[int, int], ...] = SIZES


def _gap(n: int) -> float:
    """Return a difference, in standard deviations, that n data sets show at times."""
    return 4 / math.sqrt(n)


def _equal(a: int) -> Floats:
    return np.zeros(a)


def _tiers(a: int) -> Floats:
    return np.asarray(2.0 - np.arange(a) * 3 // a, float)


def _two_of_each(a: int) -> Floats:
    return np.asarray(-10.0 * (np.arange(a) // 2), float)


def _shifted(
    rng: Rng,
    n: int,
    a: int,
    level: Callable[[int], Floats] = _equal,
    noise: Callable[[Rng, tuple[int, int]], Floats] = Rng.standard_normal,
    spread: Callable[[int], Floats] = np.ones,
) -> Floats:
    """Draw levels with noise about them, data sets of their own level."""
    own = noise(rng, (n, a)) * spread(a) + _gap(n) * level(a)
    return np.asarray(3 * rng.standard_normal((n, 1)) + own)


def _cauchy(rng: Rng, shape: tuple[int, int]) -> Floats:
    return rng.standard_cauchy(shape)


def _lognormal(rng: Rng, shape: tuple[int, int]) -> Floats:
    return np.exp(rng.standard_normal(shape))


def _last_wider(a: int) -> Floats:
    return np.where(np.arange(a) == a - 1, 5.0, 1.0)


def _rounded(rng: Rng, n: int, a: int) -> Floats:
    """Draw scores in whole standard deviations: ties and zeros."""
    own = rng.standard_normal((n, a)) + _gap(n) * _tiers(a)
    return np.round(own) + 0.0


def _skewed(rng: Rng, n: int, a: int) -> Floats:
    """Draw a last algorithm whose differences are skewed about pseudomedian 0."""
    x = rng.standard_normal((n, a)) / 10
    size = rng.random(n)
    x[:, -1] = np.where(size < math.sqrt(0.5), size, -size)
    return x


def _star(rng: Rng, n: int, a: int) -> Floats:
    """Draw a hub that differs from no other, though others differ a little.

    The others lie on a ring, each evenly about the hub, in nearly the same order.
    """
    place = (rng.random((n, 1)) + np.arange(a - 1) * 0.02) % 1.0
    return np.hstack([np.zeros((n, 1)), 2 * place - 1])


def _signs_of_star(a: int) -> NDArray[np.int8]:
    """Return the signs of a large sample; 0 with the hub."""
    x = _star(np.random.default_rng(zlib.crc32(b"star")), 30 * MOST, a)
    signs = np.zeros((a, a), np.int8)
    for i, j in combinations(range(1, a), 2):
        d = x[:, i] - x[:, j]
        # Twice the pseudomedian is the median of sums of independent differences.
        signs[i, j] = np.sign(np.median(d + np.random.default_rng(0).permutation(d)))
        signs[j, i] = -signs[i, j]
    return signs


def _with_gaps(rng: Rng, n: int, a: int) -> Floats:
    """Draw tiers of which a fifth of the cells is missing at random."""
    x = _shifted(rng, n, a, _tiers)
    gone = rng.random(x.shape) < 0.2
    gone[gone.sum(axis=1) > a - 2] = False
    gone[:4] = False
    return np.where(gone, np.nan, x)


def _units(rng: Rng, n: int, a: int, level: Callable[[int], Floats]) -> Floats:
    """Draw positive scores, data sets in units that differ up to a million times."""
    unit = 10 ** rng.uniform(-3, 3, (n, 1))
    return np.asarray(unit * np.exp(_shifted(rng, n, a, level) / 4))


@lru_cache(maxsize=1)
def _shipped() -> Floats:
    """Return the shipped table, each data set about its mean."""
    values = pc.example().values[:, :, 0]
    return np.asarray(values - values.mean(axis=1, keepdims=True))


def _pseudomedian(d: Floats) -> float:
    """Return the median of the mean of two differences drawn from these."""
    return float(np.median(d[:, None] + d) / 2)


@cache
def _spread(name: str, a: int) -> Floats:
    """Return columns of a published table, evenly spaced in the order of their means.

    What follows is about rows that are drawn from it, as often as may be: they are the
    whole population.
    """
    whole = published(name)
    order = np.argsort(whole.mean(axis=0))
    return whole[:, order[np.linspace(0, len(order) - 1, a).round().astype(int)]]


@cache
def _about_the_last(name: str, a: int) -> Floats:
    """Return such columns of which none differs typically from the last."""
    x = _spread(name, a).copy()
    for j in range(a - 1):
        x[:, j] -= _pseudomedian(x[:, j] - x[:, -1])
    return x


Columns = Callable[[str, int], Floats]


def _rows_of(rng: Rng, n: int, a: int, name: str, columns: Columns) -> Floats:
    """Draw rows of a published table."""
    x = columns(name, a)
    return x[rng.integers(0, len(x), n)]


def _signs_of_rows(a: int, name: str, columns: Columns) -> NDArray[np.int8]:
    """Return the signs of the pseudomedians of a whole table."""
    x = columns(name, a)
    signs = np.zeros((a, a), np.int8)
    for i, j in combinations(range(a), 2):
        middle = _pseudomedian(x[:, i] - x[:, j])
        if columns is _spread or j < a - 1:  # else 0, but for rounding errors
            signs[i, j], signs[j, i] = np.sign(middle), -np.sign(middle)
    return signs


def _exchanged(rng: Rng, n: int, a: int, name: str) -> Floats:
    """Draw rows of a published table, algorithms in any order."""
    rows = published(name)[rng.integers(0, len(published(name)), n)]
    columns = np.argsort(rng.random(rows.shape), axis=1)[:, :a]
    return np.take_along_axis(rows, columns, axis=1)


def _real_rows(rng: Rng, n: int, a: int) -> Floats:
    """Draw rows of the shipped table, algorithms in any order: all are exchangeable."""
    rows = _shipped()[rng.integers(0, len(_shipped()), n)]
    columns = rng.integers(0, rows.shape[1], (n, a)) if a > rows.shape[1] else None
    if columns is None:
        columns = np.argsort(rng.random(rows.shape), axis=1)[:, :a]
    return np.take_along_axis(rows, columns, axis=1)


LAWS = (
    Law("no algorithm differs", partial(_shifted), _equal, "exchangeable"),
    Law("three tiers", partial(_shifted, level=_tiers), _tiers, "exchangeable"),
    Law(
        "equal pairs far apart",
        partial(_shifted, level=_two_of_each),
        _two_of_each,
        "exchangeable",
    ),
    Law(
        "three tiers, Cauchy",
        partial(_shifted, level=_tiers, noise=_cauchy),
        _tiers,
        "exchangeable",
    ),
    Law(
        "no algorithm differs, lognormal",
        partial(_shifted, noise=_lognormal),
        _equal,
        "exchangeable",
    ),
    Law("three tiers, rounded", _rounded, _tiers, "exchangeable"),
    Law("rows of the shipped table", _real_rows, _equal, "exchangeable"),
    Law("three tiers, a fifth missing", _with_gaps, _tiers, "exchangeable"),
    Law(
        "one algorithm varies five times as much",
        partial(_shifted, spread=_last_wider),
        _equal,
        "jointly symmetric",
    ),
    Law(
        "star: a hub among others that differ",
        _star,
        None,
        "symmetric",
        signs=_signs_of_star,
    ),
    Law("one algorithm skewed, pseudomedian 0", _skewed, _equal, "nothing"),
    *(
        Law(
            f"ratios, units of data sets differ: {name}",
            partial(_units, level=level),
            level,
            "exchangeable",
            scale="ratio",
            sizes=((6, 3), (15, 5)),
        )
        for name, level in (("no algorithm differs", _equal), ("three tiers", _tiers))
    ),
    *(
        law
        for name, word in ((EMBEDDINGS, "104 embeddings"), (TIME_SERIES, "40 learners"))
        for law in (
            Law(
                f"rows of {word}, exchanged",
                partial(_exchanged, name=name),
                _equal,
                "exchangeable",
            ),
            *(
                Law(
                    f"rows of {word}, {what}",
                    partial(_rows_of, name=name, columns=columns),
                    None,
                    "nothing",
                    signs=partial(_signs_of_rows, name=name, columns=columns),
                )
                for columns, what in (
                    (_spread, "as they are"),
                    (_about_the_last, "each about the last"),
                )
            ),
        )
    ),
)


@dataclass(frozen=True)
class Method:
    """A way to adjust, and what its claim needs."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ("exchangeable", "jointly symmetric", "symmetric")
    control: bool = False


_EXCHANGEABLE = ("exchangeable",)
BY_SIZE = "default by size"
METHODS = (
    Method(BY_SIZE),
    Method("Holm", {"adjust": "holm"}),
    Method(
        "step-down flips",
        {"adjust": "step-down-flips"},
        ("exchangeable", "jointly symmetric"),
    ),
    Method("closed permutation", {"adjust": "closed-permutation"}, _EXCHANGEABLE),
    Method(
        "Bergmann-Hommel",
        {"adjust": "bergmann-hommel", "assumes": "exchangeability"},
        _EXCHANGEABLE,
    ),
    Method("Holm, control", {"adjust": "holm"}, control=True),
    Method(
        "step-down flips, control",
        {"adjust": "step-down-flips"},
        ("exchangeable", "jointly symmetric"),
        control=True,
    ),
)
"""The control is the last algorithm: the one that varies most, or is skewed."""


@dataclass(frozen=True)
class Row:
    """What one method did on one law and size.

    Attributes
    ----------
    false : float
        Share of runs with a false decision; NaN where no decision can be false.
    covered : float
        Smallest share, over pairs, of intervals that hold the typical difference; NaN
        where differences have no known number.
    ranks : float
        Share of runs in which every true rank lies in its set.
    power : float
        Share of the pairs that differ which are found; NaN without any.
    promised : bool
        Whether the law keeps what the claim needs.
    """

    law: str
    blocks: int
    algorithms: int
    method: str
    adjust: str
    runs: int
    false: float
    covered: float
    ranks: float
    power: float
    promised: bool

    @property
    def bound(self) -> float:
        """Alpha and three Monte Carlo standard errors."""
        return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / self.runs)


def scores_of(x: Floats) -> pc.Scores:
    """Return a table as scores, higher is better."""
    n, a = x.shape
    return pc.Scores(
        values=x[:, :, None],
        blocks=tuple(map(str, range(n))),
        algorithms=tuple(f"A{k}" for k in range(a)),
        metrics=(pc.Metric("score", "higher"),),
        missing="model" if np.isnan(x).any() else "error",
    )


def fits(method: Method, law: Law, n: int, a: int) -> bool:
    """Return whether a method is applied to a law and size."""
    closed = method.options.get("adjust") == "closed-permutation"
    gaps = "missing" in law.name
    if gaps and (closed or n < 15):
        return False
    return not closed or n <= 10


def cell(
    law: Law, n: int, a: int, runs: int, chosen: tuple[Method, ...] = METHODS
) -> list[Row]:
    """Return the rows of methods on one law and size; others change no table."""
    rng = np.random.default_rng(zlib.crc32(f"{law.name}, {n} x {a}".encode()))
    if law.signs is not None:
        signs, shift = law.signs(a), None
    else:
        assert law.level is not None, law.name
        level = law.level(a)
        unit = 1.0 if law.draw is _skewed else _gap(n)
        if law.scale == "ratio":
            unit /= 4
        shift = unit * (level[:, None] - level[None, :])
        signs = np.sign(shift).astype(np.int8)
    ranks = 1 + (signs < 0).sum(axis=1)
    methods = [one for one in chosen if fits(one, law, n, a)]
    pairs = {one.name: _pairs(a, control=one.control) for one in methods}
    truths = {name: signs[at] for name, at in pairs.items()}
    counts = {name: np.zeros(3) for name in pairs}
    held = {name: np.zeros(len(truth)) for name, truth in truths.items()}
    used = dict.fromkeys(counts, "")
    for run in range(runs):
        scores = scores_of(law.draw(rng, n, a))
        made: dict[str, Any] = {}
        for one in methods:
            options = one.options
            if one.name == BY_SIZE:
                names = typical_defaults(
                    ("holm",), n, a, ALPHA, control=False, complete=scores.complete
                )
                options = {"adjust": names[0]}
            used[one.name] = options["adjust"]
            control = f"A{a - 1}" if one.control else None
            key = f"{options['adjust']} {control}"
            if key not in made:
                made[key] = pc.signed_rank_pairs(
                    scores,
                    permutations=PERMUTATIONS,
                    seed=run,
                    control=control,
                    scale=law.scale,
                    **options,
                )
            found, truth = made[key], truths[one.name]
            estimate, low, high = (
                _additive(found.as_columns()[name], law.scale)
                for name in ("estimate", "conf_low", "conf_high")
            )
            decided = found.as_columns()["p_adjusted"] <= ALPHA
            found_signs = np.where(decided, np.sign(estimate), 0)
            false = bool(((found_signs != 0) & (found_signs != truth)).any())
            inside = control is not None or _all_inside(found, ranks)
            right = np.mean((found_signs == truth)[truth != 0]) if truth.any() else 0
            counts[one.name] += (false, inside, right)
            if shift is not None:
                true = shift[pairs[one.name]]
                held[one.name] += (low <= true) & (true <= high)
    return [
        Row(
            law=law.name,
            blocks=n,
            algorithms=a,
            method=one.name,
            adjust=used[one.name],
            runs=runs,
            false=round(counts[one.name][0] / runs, 4),
            covered=math.nan
            if shift is None or "rounded" in law.name or "Cauchy" in law.name
            else round(float(held[one.name].min() / runs), 4),
            ranks=math.nan if one.control else round(counts[one.name][1] / runs, 4),
            power=round(counts[one.name][2] / runs, 4)
            if truths[one.name].any()
            else math.nan,
            promised=law.keeps in _needs(one, used[one.name]),
        )
        for one in methods
    ]


def _additive(values: Any, scale: Scale) -> Floats:
    """Return numbers of which 0 is no difference: logarithms of ratios."""
    numbers = np.asarray(values, float)
    if scale == "difference":
        return numbers
    with np.errstate(divide="ignore"):  # a limit of 0 is none
        return np.log(numbers)


def _pairs(a: int, *, control: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of the pairs, in the order of the public function."""
    if not control:
        return np.triu_indices(a, 1)
    others = np.arange(a - 1)
    return others, np.full(a - 1, a - 1)


def _all_inside(found: Any, ranks: NDArray[np.int_]) -> bool:
    """Return whether every true rank lies in its set."""
    sets = pc.rank_sets(found).table.set_index("algorithm")
    return all(
        sets.rank_low[name] <= rank <= sets.rank_high[name]
        for name, rank in zip(found.algorithms, ranks.tolist(), strict=True)
    )


def _needs(method: Method, adjust: str) -> tuple[str, ...]:
    """Return which laws keep what a method needs; the default is another by size."""
    if method.name != BY_SIZE:
        return method.needs
    known = [one for one in METHODS if one.options.get("adjust") == adjust]
    return known[0].needs


def run(runs: int, kept: Iterable[Row] = ()) -> Iterator[list[Row]]:
    """Run every law and size that is not kept; yield all rows so far, in order."""
    made: dict[tuple[str, int, int], list[Row]] = {}
    for row in kept:
        made.setdefault((row.law, row.blocks, row.algorithms), []).append(row)
    jobs = {
        (law.name, n, a): (law, n, a, max(50, runs // FEWER.get((n, a), 1)))
        for law in LAWS
        for n, a in law.sizes
        if not ("missing" in law.name and n < 15)
    }
    left = {key: job for key, job in jobs.items() if key not in made}
    cells = cells_of(lambda job: cell(*job), left.values(), "typical differences")
    for key, rows in zip(left, cells, strict=True):
        made[key] = rows
        yield [row for key in jobs if key in made for row in made[key]]


def stored() -> list[Row]:
    """Return the rows of the stored study."""
    lines = json.loads(STORED.read_text(encoding="utf-8"))
    known: list[dict[str, Any]] = [
        {k: math.nan if v is None else v for k, v in line.items()} for line in lines
    ]
    return [Row(**line) for line in known]


def page(rows: Iterable[Row]) -> str:
    """Return the page of the rows."""
    rows = list(rows)
    promised = [r for r in rows if r.promised]
    within = [r for r in promised if r.false <= r.bound]
    ranked = [r for r in promised if not math.isnan(r.ranks)]
    sets = [r for r in ranked if r.ranks >= 1 - r.bound]
    fails = max((r for r in rows if not r.promised), key=lambda r: r.false)
    head = [
        "# Typical differences on known truth",
        "",
        f"**{len(within)} of {len(promised)} promised errors are within their bounds, "
        f"and {len(sets)} of {len(ranked)} promised sets of ranks cover as often as "
        f"promised. The largest error where a condition fails is {fails.false:.3f} "
        f"({fails.method}, {fails.law}, {fails.blocks} x {fails.algorithms}).**",
        "",
        f"Alpha is {ALPHA:g}. The error is the share of tables with a false decision: "
        "of a pair whose typical difference is 0, or in favour of the algorithm that "
        "is typically worse. The bound is alpha plus three Monte Carlo standard "
        "errors. A number in brackets is not promised: the law breaks a condition of "
        "the method. Bold: above the bound. "
        "`python -m validation.typical_differences`, a part of `make study`, computes "
        "every number; `typical_differences.json` has "
        f"all rows. Random flips and permutations: {PERMUTATIONS}. Laws of ratios are "
        'compared by `scale="ratio"`; their typical difference is of logarithms.',
        "",
    ]
    lines = list(head)
    for title, value, text in (
        ("False decisions", "false", "The share of tables with a false decision."),
        (
            "Sets of ranks",
            "ranks",
            "The share of tables in which every true rank lies in its set, directions "
            "included.",
        ),
        (
            "Intervals",
            "covered",
            "The smallest coverage of any pair's interval. Each has a level of 0.95 at "
            "least, if differences are symmetric about their centre.",
        ),
        ("Power", "power", "The mean share of the pairs that differ which are found."),
    ):
        lines += [f"## {title}", "", text, "", *_table(rows, value), ""]
    return "\n".join(lines)


def _table(rows: list[Row], value: str) -> list[str]:
    """Return one number of all laws and sizes, methods side by side."""
    names = [one.name for one in METHODS]
    by = {(r.law, r.blocks, r.algorithms, r.method): r for r in rows}
    keys = dict.fromkeys(key[:3] for key in by)
    lines: list[tuple[str, ...]] = [("law", "data sets x algorithms", *names)]
    for law, n, a in keys:
        cells = [_cell(by.get((law, n, a, name)), value) for name in names]
        if any(cells):
            lines.append((law, f"{n} x {a}", *cells))
    return table(lines)


def _cell(row: Row | None, value: str) -> str:
    """Return one number; bold above its bound, in brackets where not promised."""
    if row is None or math.isnan(number := getattr(row, value)):
        return ""
    text = f"{number:.3f}"
    off = {"false": number > row.bound, "ranks": number < 1 - row.bound}
    if off.get(value, False):
        text = f"**{text}**"
    if row.method == BY_SIZE:
        text = f"{text} {row.adjust}"
    return text if row.promised or value == "power" else f"({text})"


def main() -> None:
    """Run the study, store the rows and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--again", action="store_true", help="keep no stored row")
    given = parser.parse_args()
    for rows in run(given.runs, () if given.again else stored()):
        _store(rows)
    PAGE.write_text(page(stored()), encoding="utf-8")


def _store(rows: list[Row]) -> None:
    """Keep what is finished."""
    plain = [
        {
            k: None if isinstance(v, float) and math.isnan(v) else v
            for k, v in asdict(r).items()
        }
        for r in rows
    ]
    lines = ",\n".join(json.dumps(one) for one in plain)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
