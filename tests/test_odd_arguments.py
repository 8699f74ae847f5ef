"""Every parameter of every public function has one clear error for what it cannot be.

A valid call is the first one in the examples of its docstring; then one argument at a
time is something else. ``tests/test_docstrings.py`` runs the examples whole.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import io
import math
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.checked import checked
from tests.syntax import nodes_of

ODD = {
    "series": pd.Series(["a", "b"]),
    "words": np.array(["a", "b"]),
    "no array": np.array("holm"),
    "bytes": b"holm",
    "none": None,
    "2**70": 2**70,
    "-2**70": -(2**70),
    "10**400": 10**400,
    "nan": float("nan"),
    "fraction": Fraction(1, 3),
    "decimal": Decimal("0.5"),
    "complex": 1j,
    "dict": {"a": 1},
    "set": {"a"},
    "nested": [[1], [2, 3]],
    "class": int,
    "function": len,
    "object": object(),
    "missing": pd.NA,
    "never": pd.NaT,
    "frame": pd.DataFrame({"a": [1]}),
    "long": "x" * 10_000,
    "empty": "",
}
SLOW = {
    *("validate", "measure_file", "from_cross_validate", "experiment", "simulate"),
    *("planned_power", "report", "unblind", "verify"),
}
"""Their valid calls write files or take seconds."""
LONGEST = 1.0
"""Seconds for a function: later values of its later parameters are left out."""


class _Called(BaseException):
    """The example has reached the call."""


def example_call(name, monkeypatch):
    """Return the arguments of the first call in the examples of a docstring."""
    real, got = getattr(pc, name), []

    class Recorder:
        def __call__(self, *args, **options):
            got.append((args, options))
            raise _Called

        def __getattr__(self, other):
            return getattr(real, other)

    parts = doctest.DocTestParser().get_examples(inspect.getdoc(real))
    text = "\n".join(part.source for part in parts)
    with monkeypatch.context() as patch:
        patch.setattr(pc, name, Recorder())
        with contextlib.suppress(_Called), contextlib.redirect_stdout(io.StringIO()):
            exec(text, {"pc": pc})
    return got[0] if got else None


def functions():
    names = (name for name in sorted(pc.PUBLIC) if name not in SLOW)
    return [name for name in names if inspect.isfunction(getattr(pc, name))]


CLASSES = ["RoeMetz", "HeldOut", "DisjointSets", "RepeatedFolds", "Metric", "Plan"]


@pytest.mark.parametrize("name", [*functions(), *CLASSES])
def test_an_odd_argument_is_refused_by_its_name(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    function = getattr(pc, name)
    call = example_call(name, monkeypatch)
    if call is None:
        pytest.skip("called by a method in its examples")
    signature = inspect.signature(function)
    bound = signature.bind(*call[0], **call[1])
    end = time.process_time() + LONGEST
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        # A function that the user writes may raise what it likes.
        own = parameter.name in ("pairs", "progress", "method")
        for what, odd in ODD.items():
            if own and callable(odd):
                continue
            if time.process_time() > end:
                return
            given = signature.bind(*call[0], **call[1])
            given.arguments = {**bound.arguments, parameter.name: odd}
            with contextlib.redirect_stdout(io.StringIO()):
                refused = refusal(function, given, parameter.name, what)
            assert len(refused) < 3000, (parameter.name, what, len(refused))


def refusal(function, given, name, what):
    """Return the message of a call; fail for an error that is not the user's."""
    try:
        function(*given.args, **given.kwargs)
    except pc.PyCompareError as error:
        return str(error)
    except TypeError as error:
        assert name in str(error), (name, what, error)
        return str(error)
    except OSError:  # a path that is no file
        return ""
    except Exception as error:
        raise AssertionError(f"{name}, {what}: {error!r}") from error
    return ""


def test_the_door_is_that_of_functions():
    """A class behind it would be one no more: isinstance would fail."""
    wrapped = [
        f"{path}: {node.name}"
        for path in sorted(Path(pc.__file__).parent.rglob("*.py"))
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
        and any(getattr(one, "id", "") == "checked" for one in node.decorator_list)
    ]
    assert wrapped == []


def test_every_public_function_has_the_door():
    names = (n for n in pc.PUBLIC if inspect.isfunction(getattr(pc, n)))
    without = [n for n in names if not hasattr(getattr(pc, n), "__wrapped__")]
    assert without == []


@checked
def share(n: int = 3, *, on: str | None = None, names: list[str] = [], x: float = 1.0):  # noqa: B006
    lengths = [] if on is None else [len(on)]
    total = n + math.sqrt(x) + sum(lengths) + len("".join(sorted(names)))
    return n, on, names, x, total


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": "3"}, "n='3': give a whole number up to 2147483647"),
        ({"n": 2**31}, "n=2147483648: give a whole number up to 2147483647"),
        ({"on": 3}, "on=3: give a name, as text or None"),
        ({"names": b"ab"}, "names=b'ab': give a list of names"),
        ({"x": 10**400}, "x=1000.*: give a number"),
        ({"x": "1"}, "x='1': give a number"),
    ],
)
def test_the_door_names_parameter_value_and_kind(options, message):
    with pytest.raises(pc.InputError, match=message):
        share(**options)


def test_the_door_changes_nothing_that_fits():
    assert share(4, on="a", names=["b"], x=2)[:4] == (4, "a", ["b"], 2)
    assert share(x=Fraction(1, 2))[3] == 0.5
    with pytest.raises(TypeError, match=r"share\(\) got an unexpected keyword"):
        share(z=1)
