"""The plan of an experiment, written in its folder before the first fold."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pycompare.errors import InputError
from pycompare.experiments.dataset import DataSet
from pycompare.experiments.estimators import described
from pycompare.experiments.protocols import Protocol
from pycompare.labels import show

_NAME = "_plan.json"
_FORMAT = 1


def plan_of(
    datasets: Mapping[str, DataSet],
    algorithms: Mapping[str, Any],
    protocol: Protocol,
    seed: int,
) -> dict[str, Any]:
    """Describe all that the predictions depend on."""
    options = {name: str(value) for name, value in asdict(protocol).items()}
    return {
        "format": _FORMAT,
        "seed": seed,
        "protocol": {type(protocol).__name__: options},
        "datasets": {name: _dataset(data) for name, data in datasets.items()},
        "algorithms": {name: described(each) for name, each in algorithms.items()},
        # The order decides the order of rows.
        "order": {"datasets": list(datasets), "algorithms": list(algorithms)},
        "versions": {
            name: version(name) for name in ("numpy", "scipy", "scikit-learn")
        },
    }


def _dataset(data: DataSet) -> dict[str, Any]:
    return {
        "sha256": data.sha256,
        "cases": data.n,
        "features": data.features.shape[1],
        "positive": data.positive,
        "negative": data.negative,
    }


def begin(folder: Path, plan: Mapping[str, Any]) -> None:
    """Write the plan, or check that the folder was begun with the same one.

    Raises
    ------
    InputError
        If the folder holds something else, or another plan.
    """
    path = folder / _NAME
    if path.exists():
        _require_same(json.loads(path.read_text(encoding="utf-8")), plan, folder)
        return
    if folder.exists() and any(folder.iterdir()):
        raise InputError(
            f"folder {show(str(folder))} is not empty and holds no experiment (no "
            f"{_NAME}); give a new folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / f"{_NAME}.{os.getpid()}"
    aside.write_text(json.dumps(plan, indent=1) + "\n", encoding="utf-8")
    os.replace(aside, path)


def _require_same(
    before: Mapping[str, Any], now: Mapping[str, Any], folder: Path
) -> None:
    # Through JSON, as the earlier one went.
    changed = list(_differences(before, json.loads(json.dumps(now)), ()))
    if changed:
        more = f" and {len(changed) - 9} more" if len(changed) > 9 else ""
        raise InputError(
            f"folder {show(str(folder))} holds an experiment with another plan; "
            f"changed: {', '.join(map(repr, changed[:9]))}{more}; give a new folder, "
            "or the plan as it was"
        )


def _differences(before: Any, now: Any, at: tuple[str, ...]) -> list[str]:
    """Name the places where two plans differ, as deep as both are tables."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return [] if before == now else [" / ".join(at)]
    found = []
    for name in dict.fromkeys([*before, *now]):
        found += _differences(before.get(name), now.get(name), (*at, name))
    return found
