"""What all tests share."""

from __future__ import annotations

import contextlib
import functools
import gc
from pathlib import Path

import matplotlib.figure
import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

import pycompare as pc
from pycompare.base.testing import read_golden
from pycompare.data.reading.answers import DOUBTS
from pycompare.plotting import style
from pycompare.reporting.document import Figure
from tests.command_line import command

# No test depends on the time it takes: a loaded machine is slower than any deadline.
settings.register_profile("pycompare", deadline=None)
settings.load_profile("pycompare")


def pytest_configure():
    """Collect garbage as seldom as the command does in its own process."""
    gc.set_threshold(400_000)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep half a million objects of collecting from every later garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure():
    """Keep all that is left from the garbage collections of Python's exit."""
    gc.freeze()


GOLDEN = Path(__file__).parents[1] / "r_reference" / "golden"


def golden(name: str) -> dict:
    return read_golden(GOLDEN / f"{name}.json")


def golden_names(prefix: str) -> list[str]:
    names = sorted(p.stem for p in GOLDEN.glob(f"{prefix}*.json"))
    assert names, f"no golden file begins with {prefix}"
    return names


def golden_matrix(entry: dict) -> pd.DataFrame:
    rows = entry["rows"] or range(len(entry["matrix"]))
    matrix = np.array(entry["matrix"], dtype=float)
    names = [str(r) for r in np.atleast_1d(rows)]
    return pd.DataFrame(matrix, index=names, columns=np.atleast_1d(entry["cols"]))


def wide(values, better="higher", **options) -> pc.Scores:
    """Scores from a blocks x algorithms array with plain names."""
    values = np.asarray(values, float)
    if not options and not np.isnan(values).any():
        return plain(values, better)
    frame = pd.DataFrame(values, columns=[f"A{j + 1}" for j in range(values.shape[1])])
    how = {"algorithms": list(frame), "confirmed": DOUBTS, **options}
    return pc.Scores.from_wide(frame, metric="score", better=better, **how)


def plain(values: np.ndarray, better="higher") -> pc.Scores:
    """The scores that ``wide`` reads from a frame, without the reading: 4 ms less."""
    return pc.Scores(
        values=values[:, :, None],
        blocks=tuple(str(i + 1) for i in range(len(values))),
        algorithms=tuple(f"A{j + 1}" for j in range(values.shape[1])),
        metrics=(pc.Metric("score", better),),
    )


_BLANK = matplotlib.figure.Figure(figsize=(1, 1))
_DRAWN = {n: vars(Figure)[n] for n in ("drawing", "drawn", "svg", "page_svgs")}
"""How reports draw their pictures, before a module leaves its own blank."""


@contextlib.contextmanager
def blank_drawings():
    """Draw nothing in the pictures of reports."""
    svg = _blank_svg()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "drawing", _BLANK)
        patch.setattr(Figure, "drawn", lambda figure, width: _BLANK)
        patch.setattr(Figure, "svg", svg)
        patch.setattr(Figure, "page_svgs", lambda figure: (svg,) * (1 + figure.full))
        yield


@functools.cache
def _blank_svg() -> str:
    return style.to_svg(_BLANK)


@contextlib.contextmanager
def drawings():
    """Draw the pictures of reports, also where a module leaves its own blank."""
    with pytest.MonkeyPatch.context() as patch:
        for name, how in _DRAWN.items():
            patch.setattr(Figure, name, how)
        yield


@pytest.fixture(scope="module")
def blank_pictures():
    """Leave the pictures of reports blank, where they are not what is tested.

    Drawing takes four fifths of the time of a report.
    """
    with blank_drawings():
        yield


@pytest.fixture
def blank_pictures_here():
    """Leave the pictures of one test blank, where others of its module look at them."""
    with blank_drawings():
        yield


@pytest.fixture
def pictures_here():
    """Draw the pictures of one test, where others of its module leave them blank."""
    with drawings():
        yield


@pytest.fixture(scope="session")
def garcia_herrera() -> pc.Scores:
    return pc.example()


@pytest.fixture
def pycompare():
    """Run the command line: status, stdout, stderr."""
    return command
