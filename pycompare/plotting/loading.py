"""How Matplotlib is loaded.

It writes the properties of each of its artists into the help of a hundred functions
while it is loaded: a fourth of that time, which a command of ours need not spend.
"""

from __future__ import annotations

import sys
from typing import Any

_process = {"is_ours": False}


def leave_out_help() -> None:
    """Load Matplotlib without its lists of properties: nobody asks this process."""
    _process["is_ours"] = True


def load() -> None:
    """Load what draws pictures."""
    if not _process["is_ours"] or "matplotlib.figure" in sys.modules:
        import matplotlib.figure

        return
    from matplotlib import artist

    written, artist.kwdoc = artist.kwdoc, _no_help
    try:
        import matplotlib.figure  # noqa: F401
    finally:
        artist.kwdoc = written


def _no_help(artist: Any) -> str:
    return ""
