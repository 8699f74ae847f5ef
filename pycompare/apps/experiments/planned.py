"""An experiment as a plan file states it: the table ``[experiment]``."""

from __future__ import annotations

import dataclasses
import sys
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from pycompare.apps.experiments.dataset import DataSet
from pycompare.apps.experiments.protocols import (
    DisjointSets,
    FiveByTwo,
    HeldOut,
    Protocol,
    RepeatedFolds,
    StratifiedFolds,
)
from pycompare.base.errors import InputError
from pycompare.base.labels import nearest, show, show_all

_TABLE = "experiment"
_PROTOCOLS: Mapping[str, type[Protocol]] = {
    "held-out": HeldOut,
    "stratified-folds": StratifiedFolds,
    "repeated-folds": RepeatedFolds,
    "five-by-two": FiveByTwo,
    "disjoint-sets": DisjointSets,
}
_SIZES = ("folds", "repeats", "sets")
_NEEDED = ("data", "target", "positive", "learners", "protocol", "seed")


class PlannedExperiment(NamedTuple):
    """What `experiment` gets."""

    datasets: dict[str, DataSet]
    learners: dict[str, Any]
    protocol: Protocol
    seed: int


def read_experiment(path: Path) -> PlannedExperiment:
    """Read the table ``[experiment]`` of a file; import and make the learners.

    Parameters
    ----------
    path : Path
        TOML. ``data`` is the path of a table, or names with paths, beside the file;
        ``learners`` maps names to ``"module:Class"``, which is called without
        arguments. Modules beside the file are found.

    Raises
    ------
    InputError
        If a key is missing, unknown or of another kind, or something cannot be read.
    """
    stated = _table_of(path)
    return PlannedExperiment(
        _datasets(path.parent, stated),
        _learners(path.parent, _named(stated, "learners")),
        _protocol(stated),
        stated["seed"],
    )


def _table_of(path: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path.name} is no TOML: {error}") from error
    stated = document.get(_TABLE)
    if not isinstance(stated, dict):
        raise InputError(
            f"{path.name} has no table [{_TABLE}]; state it with {show_all(_NEEDED)}"
        )
    for name in stated:
        if name not in (*_NEEDED, *_SIZES):
            near = nearest(name, (*_NEEDED, *_SIZES))
            raise InputError(f"[{_TABLE}]: there is no key {show(name)}{near}")
    missing = [name for name in _NEEDED if name not in stated]
    if missing:
        raise InputError(f"[{_TABLE}]: {show_all(missing)} missing; state each key")
    return stated


def _named(stated: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return a table of texts by name."""
    given = stated[key]
    texts = isinstance(given, dict) and all(isinstance(v, str) for v in given.values())
    if not texts or not given:
        raise InputError(
            f"[{_TABLE}]: {key} = {show(given)}; give names with texts: "
            '{ NAME = "..." }'
        )
    return dict(given)


def _datasets(folder: Path, stated: Mapping[str, Any]) -> dict[str, DataSet]:
    if isinstance(stated["data"], str):
        paths = {Path(stated["data"]).stem: stated["data"]}
    else:
        paths = _named(stated, "data")
    return {name: _dataset(folder / p, stated) for name, p in paths.items()}


def _dataset(path: Path, stated: Mapping[str, Any]) -> DataSet:
    """Read a table: the target's column has the classes, all others are features."""
    import pandas as pd

    target = stated["target"]
    try:
        if path.suffix.lower() == ".parquet":
            table = pd.read_parquet(path)
        else:
            # Only an empty cell is missing: "NA" may be a class.
            table = pd.read_csv(
                path, dtype={target: str}, keep_default_na=False, na_values=[""]
            )
    except (ValueError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read: {error}") from error
    if target not in table:
        near = nearest(str(target), list(map(str, table)))
        raise InputError(f"{path.name} has no column {show(target)}{near}")
    features = table.drop(columns=[target])
    try:
        return DataSet.of(features, table[target], positive=stated["positive"])
    except InputError as error:
        raise error.at(path.name) from None


def _learners(folder: Path, named: Mapping[str, str]) -> dict[str, Any]:
    """Import and call each ``module:Class``."""
    if str(folder.resolve()) not in sys.path:
        sys.path.insert(0, str(folder.resolve()))
    learners = {}
    for name, place in named.items():
        module, colon, attribute = place.partition(":")
        if not (module and colon and attribute):
            raise InputError(
                f"[{_TABLE}]: learner {show(name)} = {show(place)}; write "
                '"module:Class"'
            )
        try:
            learners[name] = getattr(import_module(module), attribute)()
        except Exception as error:  # whatever the user's module raises
            raise InputError(
                f"[{_TABLE}]: learner {show(name)} = {show(place)} cannot be made: "
                f"{type(error).__name__}: {error}"
            ) from error
    return learners


def _protocol(stated: Mapping[str, Any]) -> Protocol:
    name = stated["protocol"]
    if name not in _PROTOCOLS:
        near = nearest(str(name), list(_PROTOCOLS))
        raise InputError(
            f"[{_TABLE}]: protocol = {show(name)}{near}; choose one of "
            f"{show_all(list(_PROTOCOLS))}"
        )
    kind = _PROTOCOLS[name]
    sizes = {size: stated[size] for size in _SIZES if size in stated}
    known = {field.name for field in dataclasses.fields(kind)}
    for size in sizes:
        if size not in known:
            raise InputError(f"[{_TABLE}]: protocol {name} has no {size}; leave it out")
    return kind(**sizes)
