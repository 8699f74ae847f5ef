"""The picture of the rooms of the code, drawn from its imports (see ``code.md``)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

import pycompare
from pycompare.plotting import style

ROOT = Path(pycompare.__file__).parent
_IMPORT = re.compile(r"^ *from pycompare\.(\w+)", re.MULTILINE)


def order() -> list[str]:
    """Return the rooms that have a row of ``code.md``, the lowest first."""
    page = Path(__file__).with_name("code.md").read_text(encoding="utf-8")
    table = page.partition("Outside of")[0]
    lines = (line for line in table.splitlines() if line.startswith("| `"))
    return [line.split("`")[1] for line in lines]


def arrows() -> Counter[tuple[str, str]]:
    """Return each room, a room that it imports from, and from how many lines."""
    known = set(order())
    return Counter(
        (room, other)
        for path in ROOT.rglob("*.py")
        for room in path.relative_to(ROOT).parts[:1]
        for other in _IMPORT.findall(path.read_text(encoding="utf-8"))
        if {room, other} <= known and room != other
    )


def rooms() -> Axes:
    """Draw the rooms, and an arrow from each room to those that it imports from.

    Arrows of even rooms are on the left. The more imports, the thicker is the arrow.
    """
    with style.context():
        height = {room: at for at, room in enumerate(order())}
        axes = style.new_axes(420.0, 400.0, (0, 0, 1, 1))
        axes.set(xlim=(-1.05, 1.05), ylim=(-0.5, len(height) - 0.5))
        axes.axis("off")
        box = {"boxstyle": "round", "facecolor": "white", "edgecolor": style.LINE}
        for room, at in height.items():
            axes.text(0, at, room, ha="center", va="center", zorder=3, bbox=box)
        for (room, other), n in sorted(arrows().items()):
            side = 1 if height[room] % 2 else -1
            arrow = FancyArrowPatch(
                (side * 0.14, height[room] - 0.08),
                (side * 0.14, height[other] + 0.12),
                connectionstyle=f"arc3,rad={-0.5 * side}",
                arrowstyle="-|>",
                mutation_scale=8,
                linewidth=0.5 + n / 150,
                color=style.COLORS[height[room] // 2 % len(style.COLORS)],
            )
            axes.add_patch(arrow)
    return axes
