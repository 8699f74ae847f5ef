"""What all pages of simulation studies share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pycompare import plotting
from pycompare.sizes.simulation.result import SimulationResult

HERE = Path(__file__).parents[1]
RESULTS = HERE / "simulation_results"


def stored(name: str) -> SimulationResult:
    """Return the result of the last run of a study."""
    text = (RESULTS / f"{name}.json").read_text(encoding="utf-8")
    return SimulationResult.from_dict(json.loads(text))


def head(title: str, *found: SimulationResult) -> list[str]:
    """Return the title, and how the numbers were made."""
    made = "; ".join(
        f"`pycompare simulate {one.study} --trials {one.trials} --seed {one.seed}`"
        for one in found
    )
    return [f"# {title}", "", f"Written by `python -m validation.simulations`: {made}."]


def picture(name: str, draw: Callable[[], Any]) -> str:
    """Draw axes into the folder of the pages and return the line of the picture."""
    svg = plotting.style.to_svg(draw().figure)
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")
    return f"![{name}]({name}.svg)"


def cells(found: SimulationResult) -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return the rows of a result by condition and statistic."""
    rows = found.table.to_dict("records")
    return {(row["condition"], row["statistic"]): row for row in rows}


def share(row: Mapping[str, Any]) -> str:
    """Return an estimate with its Monte Carlo error."""
    return f"{row['estimate']:.3f} ({row['std_error']:.3f})"


def spaced(lines: Iterator[str]) -> list[str]:
    """Return lines as paragraphs."""
    return [part for line in lines for part in (line, "")]
