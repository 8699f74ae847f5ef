"""Ranks that decisions leave open, by tiers: the structure of many algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PITCH, _GAP, _ROW, _TOP = 3.8, 6.0, 13.0, 30.0
_MOST_HEIGHT = 300.0
"""Points of all bars together; more bars are thinner."""
_LEADER, _NARROW_LEADER = 215.0, 62.0
_NARROW = 400.0


@dataclass(frozen=True)
class Tier:
    """Algorithms of one tier, the best first; empty: the omitted parts, in words."""

    place: str  # its number
    leader: str
    count: int
    ranks: Sequence[tuple[float, float, float]]  # lowest, highest, own


def tiers(tiers: Sequence[Tier], n_algorithms: int) -> Axes:
    """Draw a bar for each algorithm: from its lowest to its highest possible rank.

    Grey bars are the first tier, blue ones are significantly worse than its leader.
    """
    width = style.inner(780.0, 0.0, 260.0)
    narrow = width < _NARROW
    left = _NARROW_LEADER if narrow else _LEADER
    bars = sum(len(tier.ranks) for tier in tiers)
    pitch = min(_PITCH, _MOST_HEIGHT / max(bars, 1))
    heights = [max(pitch * len(tier.ranks), _ROW) for tier in tiers]
    total = _TOP + sum(heights) + _GAP * len(tiers) + 4.0
    with style.context():
        from matplotlib.collections import LineCollection

        ax = style.new_axes(width, total, (0.0, 0.0, 1.0, 1.0))
        ax.set(xlim=(0.0, width), ylim=(total, 0.0))
        ax.axis("off")
        right = width - 12.0

        def across(rank: float) -> float:
            return left + (rank - 1) / max(n_algorithms - 1, 1) * (right - left)

        head = "tier" if narrow else "tier, algorithms, leader"
        _text(ax, 0.0, 8.0, head, style.DIM)
        for rank in _ticks(n_algorithms, 3 if narrow else 6):
            at = across(rank)
            ax.plot([at, at], [_TOP - 6, total], color=style.FAINT, linewidth=0.7)
            _text(ax, at, _TOP - 13, f"{rank}", style.DIM, ha="center")
        _text(ax, left, 8.0, "rank", style.DIM)
        y = _TOP
        for place, (tier, height) in enumerate(zip(tiers, heights, strict=True)):
            ax.plot([0, width], [y - 3, y - 3], color=style.FAINT, linewidth=0.7)
            middle = y + min(height / 2, 8.0)
            _text(ax, 10.0, middle, tier.place, style.INK, ha="center", weight="bold")
            _text(ax, 44.0, middle, f"{tier.count}", style.DIM, ha="right")
            if not narrow:
                name = style.within([style.printable(tier.leader)], left - 64.0)[0]
                _text(ax, 54.0, middle, name, style.INK)
            color = style.NOT_SHOWN if place == 0 else style.BLUE
            top = y + (height - pitch * len(tier.ranks)) / 2
            middles = [top + pitch * (row + 0.5) for row in range(len(tier.ranks))]
            ends = [
                [(across(low) - 1.0, level), (across(high) + 1.0, level)]
                for (low, high, _), level in zip(tier.ranks, middles, strict=True)
            ]
            # One artist for the bars of a tier: hundreds of them would take seconds.
            ax.add_collection(
                LineCollection(
                    ends, colors=color, linewidths=pitch / 2, capstyle="projecting"
                ),
                autolim=False,
            )
            ax.plot(
                [across(own) for *_, own in tier.ranks],
                middles,
                "o",
                color=color,
                markerfacecolor="white",
                markersize=pitch * 0.8,
                markeredgewidth=0.6,
            )
            y += height + _GAP
    return ax


def _ticks(n: int, most: int) -> list[int]:
    """Return 1 and round numbers up to the number of algorithms."""
    step = next(s for s in (5, 10, 20, 50, 100, 200, 500, 10**6) if n <= s * most)
    return [1, *range(step, n + 1, step)]


def _text(ax: Axes, x: float, y: float, text: str, color: str, **options: Any) -> None:
    ax.text(x, y, text, color=color, va="center", parse_math=False, **options)
