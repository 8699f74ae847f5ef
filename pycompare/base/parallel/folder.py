"""A folder that belongs to one run: its plan is written before the first result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.parallel.whole_file import write_whole


def begin(folder: Path, plan: Mapping[str, Any], *, name: str, what: str) -> None:
    """Write the plan of a run, or check that the folder was begun with the same one.

    Parameters
    ----------
    folder : Path
    plan : mapping
        Plain values: all that the results depend on.
    name : str
        Of the file with the plan.
    what : str
        Contents of the folder, in the singular.

    Raises
    ------
    InputError
        If the folder holds something else, or another plan.
    """
    path = folder / name
    if path.exists():
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            raise InputError(
                f"{name} is damaged, so it is unknown which {what} folder "
                f"{show(str(folder))} holds; give a new folder"
            ) from None
        _require_same(before, plan, folder, what)
        return
    # A killed run may have left the beginning of its plan.
    foreign = folder.exists() and any(
        not held.name.startswith(f".{name}") for held in folder.iterdir()
    )
    if foreign:
        raise InputError(
            f"folder {show(str(folder))} is not empty and holds no {what} (no "
            f"{name}); give a new folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(plan, indent=1) + "\n"
    write_whole(path, lambda aside: aside.write_text(text, encoding="utf-8"))


def _require_same(
    before: Mapping[str, Any], now: Mapping[str, Any], folder: Path, what: str
) -> None:
    # Through JSON, as the earlier one went.
    changed = list(_differences(before, json.loads(json.dumps(now)), ()))
    if changed:
        more = f" and {len(changed) - 9} more" if len(changed) > 9 else ""
        raise InputError(
            f"folder {show(str(folder))} holds {_a(what)} with another plan; "
            f"changed: {', '.join(map(repr, changed[:9]))}{more}; give a new folder, "
            "or the plan as it was"
        )


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _differences(before: Any, now: Any, at: tuple[str, ...]) -> list[str]:
    """Name the places where two plans differ, as deep as both are tables."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return [] if before == now else [" / ".join(at)]
    places = []
    for name in dict.fromkeys([*before, *now]):
        places += _differences(before.get(name), now.get(name), (*at, name))
    return places
