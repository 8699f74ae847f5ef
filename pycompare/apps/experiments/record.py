"""The plan of an experiment, written in its folder before the first fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pycompare.apps.experiments.dataset import DataSet
from pycompare.apps.experiments.estimators import described
from pycompare.apps.experiments.protocols import Protocol
from pycompare.base.parallel import folder

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


def begin(root: Path, plan: Mapping[str, Any]) -> None:
    """Write the plan, or check that the folder was begun with the same one.

    Raises
    ------
    InputError
        If the folder holds something else, or another plan.
    """
    folder.begin(root, plan, name=_NAME, what="experiment")
