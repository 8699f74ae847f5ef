"""Frames of every kind in every public function: results that hold, or clear words.

A case is a number, the seed of its frame and calls. ``tests/test_api_fuzz.py`` tries
some; ``python -m tests.api_fuzz --minutes 60 --first 10000`` (``make study``) tries the
cases from a number on, and ends with the number of the first one not tried.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import pycompare as pc

Rng = np.random.Generator
CALLS = 6
"""Functions of a case."""
P_VALUES = ("p_value", "p_adjusted", "p_lower", "p_upper")
SLOW = {"bayesian_bradley_terry", "bayesian_hierarchical", "permutation_manova"}
"""They are called on few tables."""


def _functions(first: str) -> list[str]:
    """Return the public functions with this first parameter."""
    return [
        name
        for name in sorted(pc.PUBLIC)
        if inspect.isfunction(getattr(pc, name))
        and next(iter(inspect.signature(getattr(pc, name)).parameters), "") == first
    ]


OF_SCORES, OF_LABELS = _functions("scores"), _functions("label")
FORMULAS = ("m0 ~ algorithm", "m0 ~ algorithm + block", "m0 ~ algorithm + (1|block)")
NUMBERS: dict[str, Callable[[np.ndarray], Any]] = {
    "float64": lambda x: x,
    "float32": lambda x: x.astype(np.float32),
    "float16": lambda x: x.astype(np.float16),
    "int8": lambda x: np.clip(np.rint(np.nan_to_num(x)), -100, 100).astype(np.int8),
    "uint16": lambda x: np.clip(np.rint(np.nan_to_num(x)), 0, 100).astype(np.uint16),
    "int64": lambda x: np.clip(np.rint(np.nan_to_num(x)), -9, 9).astype(np.int64),
    "bool": lambda x: x > 0,
    "nullable float": lambda x: pd.array(x, dtype="Float64"),
    "nullable whole": lambda x: pd.array(
        np.clip(np.rint(np.nan_to_num(x)), -9, 9).astype(int), dtype="Int64"
    ),
    "nullable bool": lambda x: pd.array(x > 0, dtype="boolean"),
    "objects": lambda x: np.array([*map(float, x), None], object)[:-1],
    "fractions": lambda x: _objects(map(_fraction, x)),
    "decimals": lambda x: _objects(Decimal(str(value)) for value in x),
    "text": lambda x: np.array([f"{value:.6g}" for value in x]),
    "percent": lambda x: np.array([f"{value:.3f}%" for value in x]),
    "category": lambda x: pd.Categorical(np.round(x, 1)),
    "complex": lambda x: x.astype(complex),
    "time": lambda x: pd.to_timedelta(np.arange(len(x)), unit="s"),
    "date": lambda x: pd.Timestamp(0) + pd.to_timedelta(np.arange(len(x)), unit="D"),
    "sparse": lambda x: pd.arrays.SparseArray(x),
    "lists": lambda x: _objects([value] for value in x),
}
LABELS: dict[str, Callable[[int], list[Any]]] = {
    "words": lambda n: [f"a{i}" for i in range(n)],
    "numbers": lambda n: list(range(n)),
    "floats": lambda n: [i + 0.5 for i in range(n)],
    "truths": lambda n: [bool(i % 2) for i in range(n)],
    "alike": lambda n: [(" " * i) + "x" for i in range(n)],
    "cases": lambda n: [("x" if i % 2 else "X") * (i // 2 + 1) for i in range(n)],
    "hostile": lambda n: [f"{i}<script>`id`,\"'\\{{}}%$#\n\u202e" for i in range(n)],
    "unicode": lambda n: [chr(0x4E00 + i) + "e\u0301" for i in range(n)],
    "missing": lambda n: [None if i == 1 else f"a{i}" for i in range(n)],
    "nan": lambda n: ["nan", "NA", "None", "inf", "", "0", "-"][:n],
    "dates": lambda n: [pd.Timestamp(0) + pd.Timedelta(days=i) for i in range(n)],
    "bytes": lambda n: [b"a%d" % i for i in range(n)],
    "tuples": lambda n: [("a", i) for i in range(n)],
    "long": lambda n: ["y" * 3000 + str(i) for i in range(n)],
    "mixed": lambda n: [i if i % 2 else f"a{i}" for i in range(n)],
}
VALUES: dict[str, Callable[[Rng, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.standard_normal(n),
    "shares": lambda rng, n: rng.uniform(size=n).round(3),
    "answers": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "ties": lambda rng, n: rng.integers(0, 3, n) / 2,
    "constant": lambda rng, n: np.full(n, 0.1),
    "tiny": lambda rng, n: rng.standard_normal(n) * 1e-300,
    "denormal": lambda rng, n: rng.integers(-9, 9, n) * 5e-324,
    "huge": lambda rng, n: rng.standard_normal(n) * 1e300,
    "largest": lambda rng, n: rng.choice([1.0, -1.0], n) * sys.float_info.max,
    "far": lambda rng, n: 1e15 + rng.integers(0, 9, n),
    "gaps": lambda rng, n: np.where(rng.random(n) < 0.1, np.nan, rng.random(n)),
    "infinite": lambda rng, n: np.where(rng.random(n) < 0.1, np.inf, rng.random(n)),
    "zeros of both signs": lambda rng, n: rng.choice([0.0, -0.0], n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(n) ** 3,
}
ENGINES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "columns": lambda frame: {name: list(frame[name]) for name in frame.columns},
    "rows": lambda frame: frame.to_dict("records"),
}


def _objects(values: Iterable[Any]) -> np.ndarray:
    every = list(values)
    array = np.empty(len(every), object)
    array[:] = every
    return array


def _fraction(value: float) -> Any:
    return Fraction(value) if np.isfinite(value) else value


@dataclass
class Case:
    """What one case draws, and what became of it."""

    seed: int
    kind: str
    failure: str = ""
    calls: int = 0
    refused: int = 0


def _pick(rng: Rng, of: dict[str, Any], usual: str, often: float) -> str:
    """Return a name: in half of the cases what data usually are."""
    names = list(of)
    return usual if rng.random() < often else names[rng.integers(len(names))]


def _frame(rng: Rng) -> tuple[str, Any, dict[str, Any]]:
    """Return a kind in words, a long table, and its roles."""
    n, a = int(rng.integers(1, 9)), int(rng.integers(1, 6))
    runs, metrics = int(rng.choice([1, 1, 2])), int(rng.choice([1, 1, 2, 3]))
    algorithm = LABELS[(who := _pick(rng, LABELS, "words", 0.8))](a)
    block = LABELS[(where := _pick(rng, LABELS, "words", 0.8))](n)
    a, n = len(algorithm), len(block)
    rows = [
        (algorithm[j], block[i], r)
        for i in range(n)
        for j in range(a)
        for r in range(runs)
    ]
    frame = pd.DataFrame(
        {
            name: pd.Series([row[place] for row in rows])
            for place, name in enumerate(("algorithm", "block", "run"))
        }
    )
    what = []
    for k in range(metrics):
        values = VALUES[(law := _pick(rng, VALUES, "normal", 0.4))](rng, len(frame))
        with warnings.catch_warnings():  # a conversion of ours, not of the library
            warnings.simplefilter("ignore")
            kind = _pick(rng, NUMBERS, "float64", 0.6)
            frame[f"m{k}"] = pd.Series(NUMBERS[kind](values), index=frame.index)
        what.append(f"{law} {kind}")
    how = rng.random(6)
    if how[0] < 0.2:
        frame = frame.sample(frac=1, random_state=int(rng.integers(2**31)))
    if how[1] < 0.05:
        frame = pd.concat([frame, frame.iloc[:1]])
    if how[2] < 0.05:
        frame = frame.iloc[:-1]
    if how[3] < 0.05:
        frame = frame.iloc[:0]
    if how[4] < 0.1:
        frame.index = pd.Index(rng.integers(0, 2, len(frame)))
    engine = _pick(rng, ENGINES, "pandas", 0.6)
    roles: dict[str, Any] = {"algorithm": "algorithm", "block": "block"}
    if runs > 1 or rng.random() < 0.1:
        roles["replicate"] = "run"
    roles["metrics"] = {
        f"m{k}": str(rng.choice(["higher", "lower"])) for k in range(metrics)
    }
    roles["missing"] = str(rng.choice(["error", "drop-block", "model"]))
    kind = f"{n} {where} x {a} {who} x {runs}; {', '.join(what)}; {engine}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = ENGINES[engine](frame)
    except Exception:  # the engine has no such columns
        table, kind = frame, f"{kind} (as pandas)"
    return kind, table, roles


NEEDED: dict[str, Any] = {
    **{"margin": 0.1, "rope": 0.1, "weights": "equal", "n_train": 90, "n_test": 10},
    **{"range": (0.0, 1.0), "chosen": "random", "low": -10.0, "high": 10.0},
}
"""What functions cannot do without."""
PLANS: tuple[dict[str, Any], ...] = (
    {},
    {"blocks": "datasets"},
    {"blocks": "cases"},
    {"blocks": "folds", "n_train": 90, "n_test": 10, "protocol": "cross-validation"},
    {"blocks": "datasets", "compares": "ranks"},
    {"blocks": "datasets", "compares": "means"},
    {"blocks": "cases", "replicates": "average"},
)


def _calls(rng: Rng, scores: pc.Scores) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield calls of functions by what they need, all else by default."""
    several = len(scores.metrics) > 1
    names = rng.choice(OF_SCORES, CALLS, replace=False).tolist()
    for name in names:
        if name in SLOW and rng.random() < 0.9:
            continue
        function = getattr(pc, name)
        own = inspect.signature(function).parameters
        options: dict[str, Any] = {}
        if several and "metric" in own:
            options["metric"] = scores.metrics[0].name
        first, last = scores.algorithms[0], scores.algorithms[-1]
        if "algorithms" in own and scores.n_algorithms > 2 and first != last:
            options["algorithms"] = (first, last)
        needed = NEEDED | {
            **{"control": last, "baseline": first, "candidate": last},
            **{"algorithm": first, "means": {m.name: 0.5 for m in scores.metrics}},
            "ranking": "rank-then-aggregate",
        }
        options |= {
            name: needed[name]
            for name, parameter in list(own.items())[1:]
            if parameter.default is parameter.empty and name in needed
        }
        if name == "compare":
            plan = PLANS[rng.integers(len(PLANS))]
            options["plan"] = lambda plan=plan: pc.Plan(**plan)
        yield name, _call(function, scores, options)


def _curve_calls(rng: Rng) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield a call of a function of labels and scores."""
    n = int(rng.integers(1, 40))
    classes = LABELS[_pick(rng, LABELS, "words", 0.7)](2)
    label = _objects(classes[k % len(classes)] for k in rng.integers(0, 2, n))
    name = OF_LABELS[rng.integers(len(OF_LABELS))]
    function = getattr(pc, name)
    own = inspect.signature(function).parameters
    convert = NUMBERS[_pick(rng, NUMBERS, "float64", 0.7)]
    draw = VALUES[_pick(rng, VALUES, "normal", 0.5)]
    options: dict[str, Any] = {}
    for parameter, value in (
        *(("positive", classes[-1]), ("margin", 0.1), ("low", 0.1), ("high", 0.6)),
        *(("fold", rng.integers(0, 2, n)), ("resamples", 200), ("threshold", 0.3)),
        *(("bins", "equal-mass"), ("n_bins", 3)),
    ):
        needed = parameter in own and own[parameter].default is inspect.Parameter.empty
        if needed or (parameter == "resamples" and parameter in own):
            options[parameter] = value

    if name == "calibration_error":  # of a class, or of the top label
        options["positive"] = classes[-1]

    with warnings.catch_warnings():  # a conversion of ours, not of the library
        warnings.simplefilter("ignore")
        given: Any = convert(draw(rng, n))
        if "scores" in own:
            given = {"a": given, "b": convert(draw(rng, n)), "c": draw(rng, n)}
    if name == "most_confused":
        given = label[::-1]
    yield name, lambda: function(label.tolist(), given, **options)


def _call(function: Any, scores: pc.Scores, options: dict[str, Any]) -> Any:
    def called() -> Any:
        own = dict(options)
        if callable(own.get("plan")):
            own["plan"] = own["plan"]()
        return function(scores, **own)

    return called


def try_case(seed: int) -> Case:
    """Try one case; its ``failure`` is empty where everything holds."""
    rng = np.random.default_rng([seed, 38])
    kind, table, roles = _frame(rng)
    case = Case(seed, kind)
    step = "pc.Scores.from_frame"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for name, call in _all_calls(rng, table, roles):
                step, case.calls = name, case.calls + 1
                try:
                    result = call()
                except pc.PyCompareError as error:
                    _require_clear(error)
                    case.refused += 1
                    continue
                _require_sense(result)
    except pc.PyCompareError as error:
        case.refused += 1
        try:
            _require_clear(error)
        except AssertionError as unclear:
            case.failure = f"{step}: {unclear}"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.filename.rsplit('/', 1)[-1]}:{last.lineno}"
        case.failure = f"{step}: {type(error).__name__}: {error} ({where})"
    return case


def _all_calls(
    rng: Rng, table: Any, roles: dict[str, Any]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the calls of a case; its table may be refused on the way."""
    yield from _curve_calls(rng)
    formula = FORMULAS[rng.integers(len(FORMULAS))]
    yield "linear_model", lambda: pc.linear_model(table, formula)
    yield from _calls(rng, pc.Scores.from_frame(table, **roles))


def _require_clear(error: Exception) -> None:
    """Reject a message without words or without end."""
    text = str(error)
    assert 10 < len(text) < 4000, f"a message of {len(text)} characters: {text[:200]!r}"


def _require_sense(result: Any) -> None:
    """Reject shares outside 0 to 1, limits the wrong way round, and lost results."""
    text = result.summary() if hasattr(result, "summary") else ""
    assert isinstance(text, str)
    if hasattr(result, "to_dict"):
        json.dumps(result.to_dict(), allow_nan=True)
    if not hasattr(result, "as_columns"):
        return
    columns = result.as_columns()
    for name in columns:
        if name in P_VALUES:
            p = np.asarray(columns[name], float)
            outside = ~np.isnan(p) & ((p < 0) | (p > 1))
            assert not outside.any(), f"{name} = {p[outside][0]}"
    if "conf_low" in columns and "conf_high" in columns:
        low, high = (
            np.asarray(columns[f"conf_{end}"], float) for end in ("low", "high")
        )
        assert not (low > high).any(), "conf_low is above conf_high"
        if "estimate" in columns:
            at = np.asarray(columns["estimate"], float)
            slack = 1e-9 * np.abs(at)
            outside = (at < low - slack) | (at > high + slack)
            notes = getattr(result, "notes", ())
            told = any("lies below its interval" in note for note in notes)
            away = f"{at[outside][:1]} is not within its interval"
            assert told or not outside.any(), away


def main() -> int:
    """Try cases for some minutes; the status is 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--first", type=int, default=10_000, help="number of a case")
    given = parser.parse_args()
    end, seed = time.monotonic() + 60 * given.minutes, given.first
    failed: Counter[str] = Counter()
    calls = refused = 0
    while time.monotonic() < end:
        case = try_case(seed)
        calls, refused = calls + case.calls, refused + case.refused
        if case.failure:
            failed[case.failure[:120]] += 1
            if failed[case.failure[:120]] == 1:
                print(f"{seed}: {case.failure}\n    {case.kind[:300]}", flush=True)
        seed += 1
    print(
        f"cases {given.first} to {seed - 1}: {calls} calls, {refused} refused, "
        f"{sum(failed.values())} failed in {len(failed)} ways; next: --first {seed}"
    )
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
