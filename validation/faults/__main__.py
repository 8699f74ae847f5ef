"""Cause all faults in all commands and write ``FAULTS.md``; on Linux, with gcc.

``python -m validation.faults [--folder DIR] [--kills N] [--only NAME ...]``. A finished
fault is a line in the folder, so an interrupted run resumes where it stopped. The
status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .commands import COMMANDS
from .page import PAGE, page
from .trials import STORED, faults, in_order, run
from .writing import IN_A_ROW


def main() -> None:
    """Try all faults on all commands, and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.faults", description=__doc__
    )
    parser.add_argument("--folder", type=Path, default=Path("study") / "faults")
    parser.add_argument("--kills", type=int, default=245, help="over all commands")
    parser.add_argument("--only", nargs="*", help="names of faults or commands")
    chosen = parser.parse_args()
    rounds = -(-chosen.kills // (IN_A_ROW * len(COMMANDS)))
    wanted = faults(rounds)
    if chosen.only:
        wanted = [one for one in wanted if {one[0], one[2]} & set(chosen.only)]
    lines = run(chosen.folder / STORED.name, wanted)
    kept = in_order(lines)
    STORED.write_text("".join(json.dumps(line) + "\n" for line in kept))
    PAGE.write_text(page(kept), encoding="utf-8")
    sys.exit(any(line["wrong"] for line in lines))


if __name__ == "__main__":
    main()
