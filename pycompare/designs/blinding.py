"""Blinded analysis: codes stand for the names of the algorithms until it is opened.

Names are replaced before anything is computed, so nothing that is made of a blinded
comparison can hold one. Codes are drawn by the operating system's random numbers and
kept in the key file alone, so that no hash of the data or of the names leads to them.
The data file and the plan file hold the names, and the folder nearly all the rest of
them: who knows the names could write both again for every order of the names, until a
hash agrees. So their hashes are keyed by a secret, which is in the key file too.
The order of the algorithms is that of the codes. Opening first shows that no number
changes with the names; then the algorithms are in the order of the data again.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.labels import show, show_all
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.data.scores import Scores
from pycompare.data.source import Source
from pycompare.designs.plans import toml_text
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile, BlindablePlan
from pycompare.designs.plans.keyed_hash import keyed_hash, new_secret
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.statements import statements
from pycompare.designs.plans.trail import Entry, entries_of

_STEMS = ("Algorithm", "Treatment", "Candidate", "Code")
"""Codes begin with the first of these that is in no name."""
_HIDDEN_FILE = "blinded"
_MADE_BY = "pycompare key"
_PLAN_PARTS = ("name", "sha256", "text", "trail")
_FILE_PARTS = ("name", "sha256", "size")
_Blindable = Scores | Predictions | Ratings
_OnePlan = Plan | PlanFile | AnalysisPlanFile | BlindablePlan


@dataclass(frozen=True, kw_only=True)
class BlindingKey:
    """What codes stand for, and whatever else of a blinded comparison names algorithms.

    Attributes
    ----------
    codes : dict of str to str
        Code and name, in the order of the codes.
    names : sequence of str
        The names in the order of the data; empty in keys that do not have it.
    secret : str
        Random bits, in hexadecimal: without the file nobody who guesses the names can
        check them by the hash of the key, of the data file or of the plan file.
    data_sha256 : str
        Hash of the data as read.
    file : dict or None
        Name, hash and size of the file of the data.
    plan_file : dict or None
        Name, hash, text and trail of the plan file.
    """

    codes: Mapping[str, str]
    secret: str
    data_sha256: str
    file: Mapping[str, Any] | None
    plan_file: Mapping[str, Any] | None
    names: Sequence[str] = ()

    def text(self) -> str:
        """Return the key as a file holds it."""
        held = {"made_by": _MADE_BY, **dataclasses.asdict(self)}
        return json.dumps(held, indent=1) + "\n"

    @property
    def sha256(self) -> str:
        """Hash of the file, with the secret: a blinded report has it for the names."""
        return hashlib.sha256(self.text().encode("utf-8")).hexdigest()

    def keyed_hashes(self) -> dict[str, str]:
        """Return the keyed hashes of the data file and of the plan file."""
        held = {"data file": self.file, "plan file": self.plan_file}
        return {
            what: keyed_hash(self.secret, str(file["sha256"]))
            for what, file in held.items()
            if file is not None
        }


@dataclass(frozen=True, kw_only=True)
class Blinding:
    """Whether codes stand for names in a comparison, or did.

    Attributes
    ----------
    key : BlindingKey
    opened : bool
        Whether the names are back.
    blinded_manifest : str or None
        Hash of the manifest of the blinded report, of one that is opened.
    """

    key: BlindingKey
    opened: bool = False
    blinded_manifest: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the report's facts about it: no names; the secret once it is open."""
        told = {"secret": self.key.secret, "keyed_hashes": self.key.keyed_hashes()}
        return {
            "state": "unblinded" if self.opened else "blinded",
            "codes": list(self.key.codes),
            "key_sha256": self.key.sha256,
            "blinded_manifest_sha256": self.blinded_manifest,
            **(told if self.opened else {}),
        }


def key_path(folder: Path) -> Path:
    """Return where the key of a blinded report is: beside its folder."""
    return folder.with_name(f"{folder.name}.key.json")


def key_from(text: str) -> BlindingKey:
    """Return a key from its file.

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        held = json.loads(text)
        if held.pop("made_by") == _MADE_BY:
            return BlindingKey(**held)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InputError("this is not the key of a blinded report")


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """Data, plan and file with codes for names, and the key."""

    data: Any
    given: Any
    source: Source | None
    key: BlindingKey


def blinded(data: _Blindable, given: _OnePlan, source: Source | None = None) -> Hidden:
    """Return data, plan and file with codes for names, and the key.

    ``source`` is the file of data that do not name it.

    Raises
    ------
    InputError
        If other labels, notes or the plan contain the name of an algorithm.
    """
    known = _names(data)
    _refuse_names(known, _labels(data), "the data")
    plan = given.plan if isinstance(given, PlanFile | AnalysisPlanFile) else given
    _refuse_names(known, statements(plan), "the plan")
    order = list(range(len(known)))
    secrets.SystemRandom().shuffle(order)
    names = [known[at] for at in order]
    codes = dict(zip(_codes(names), names, strict=True))
    if not isinstance(data, Ratings):
        source = data.source
    file = dict.fromkeys(_PLAN_PARTS)
    key = BlindingKey(
        codes=codes,
        names=known,
        secret=new_secret(),
        data_sha256=data.sha256,
        file=None
        if source is None
        else {name: getattr(source, name) for name in _FILE_PARTS},
        plan_file={name: getattr(given, name) for name in file}
        if isinstance(given, PlanFile | AnalysisPlanFile)
        else None,
    )
    to_code = {name: code for code, name in codes.items()}
    shown: Any = {"name": _HIDDEN_FILE, "sha256": key.keyed_hashes().get("data file")}
    shown |= {"size": None, "recipe": None}
    return Hidden(
        data=_renamed(_reordered(data, order), to_code, shown),
        given=_planned(given, to_code),
        source=source and dataclasses.replace(source, **shown),
        key=key,
    )


def key_with_trail(key: BlindingKey, trail: Sequence[Entry]) -> BlindingKey:
    """Return a key whose plan file has these entries, none of which reveals a name."""
    _refuse_signed(key.codes.values(), "", trail)
    return dataclasses.replace(key, plan_file={**(key.plan_file or {}), "trail": trail})


def with_names(data: _Blindable, key: BlindingKey, *, arranged: bool) -> Any:
    """Return blinded data with the names back.

    ``arranged``: in the order that they had before; else in that of the codes.
    """
    named = _renamed(data, key.codes, key.file)
    if not arranged or not key.names:
        return named
    names = _names(named)
    return _reordered(named, [names.index(name) for name in key.names])


def plan_file_of(key: BlindingKey) -> PlanFile | AnalysisPlanFile | None:
    """Return the plan file with the names, if there was one."""
    from pycompare.designs.plans.analysis_plans import plan_from

    if key.plan_file is None:
        return None
    file = dict(key.plan_file)
    text, name = str(file["text"]), str(file["name"])
    plan = plan_from(text, name) or PlanFile(content=text.encode("utf-8"), name=name)
    return dataclasses.replace(plan, trail=entries_of(file["trail"]))


def unblinded(
    data: _Blindable, asked: Plan, key: BlindingKey, *, arranged: bool
) -> tuple[Any, Plan | PlanFile]:
    """Return blinded data and their plan with the names back; see ``with_names``."""
    plan: Any = plan_file_of(key) or _with_control(asked, key.codes)
    return with_names(data, key, arranged=arranged), plan


def _codes(names: Sequence[str]) -> list[str]:
    """Return as many codes as there are names, none of which is in one."""
    together = "\n".join(names).casefold()
    free = (stem for stem in _STEMS if stem.casefold() not in together)
    stem = next(free, "") or f"{_STEMS[0]}-{secrets.token_hex(4)}"
    width = len(str(len(names)))
    return [f"{stem} {number:0{width}d}" for number in range(1, len(names) + 1)]


# ---- data ----------------------------------------------------------------------------


def _names(data: _Blindable) -> tuple[str, ...]:
    """Return the names that codes stand for."""
    return data.modalities if isinstance(data, Ratings) else data.algorithms


def _reordered(data: _Blindable, order: Sequence[int]) -> _Blindable:
    """Return data with the algorithms in another order."""
    if isinstance(data, Ratings):
        return data.select([data.modalities[at] for at in order])
    if isinstance(data, Scores):
        return data.select(algorithms=[data.algorithms[at] for at in order])
    n = data.n_algorithms
    groups = np.arange(data.n_blocks)[:, None] * n + np.asarray(order)
    rows = np.concatenate(
        [np.arange(data.offsets[g], data.offsets[g + 1]) for g in groups.ravel()]
    )
    sizes = np.diff(data.offsets)[groups.ravel()]
    return dataclasses.replace(
        data,
        score=data.score[rows],
        is_positive=data.is_positive[rows],
        offsets=np.concatenate([[0], np.cumsum(sizes)]),
        case=None if data.case is None else data.case[rows],
        algorithms=tuple(data.algorithms[at] for at in order),
    )


def _renamed(
    data: _Blindable, names: Mapping[str, str], file: Mapping[str, Any] | None
) -> _Blindable:
    """Return data with other names of algorithms and of the file they came from."""
    if isinstance(data, Ratings):
        renamed = tuple(names[name] for name in data.modalities)
        return dataclasses.replace(data, modalities=renamed, recipe=None)
    cells = tuple((block, names[a], metric) for block, a, metric in data.dropped.cells)
    source = data.source
    return dataclasses.replace(
        data,
        algorithms=tuple(names[name] for name in data.algorithms),
        dropped=dataclasses.replace(data.dropped, cells=cells),
        source=source and dataclasses.replace(source, **(file or {})),
    )


def _labels(data: _Blindable) -> Iterator[str]:
    """Yield all words of data except the names of the algorithms."""
    if isinstance(data, Ratings):
        yield from chain(data.readers, data.cases, data.clusters, data.notes)
        yield from (data.positive, data.negative)
        return
    yield from chain(data.blocks, data.datasets or (), data.groups or (), data.notes)
    yield from data.dropped.blocks
    if isinstance(data, Scores):
        yield from chain(data.clusters or (), data.replicates or ())
        yield from data.strata or ()
        yield from (metric.name for metric in data.metrics)
    else:
        yield from chain(data.cases, data.run_names, (data.positive, data.negative))


# ---- plans ---------------------------------------------------------------------------


def _with_control(plan: Plan, names: Mapping[str, str]) -> Plan:
    """Return a plan with another name of the control; an unknown one is left."""
    control = plan.control
    return dataclasses.replace(plan, control=control and names.get(control, control))


def _planned(given: _OnePlan, to_code: Mapping[str, str]) -> _OnePlan:
    """Return a plan with codes for names; of a file, as a file without its comments."""
    if isinstance(given, BlindablePlan):
        return given.renamed(to_code)
    if isinstance(given, AnalysisPlanFile):
        hidden = given.with_names(to_code, f"{_HIDDEN_FILE}.toml")
        _refuse_signed(to_code, hidden.text, given.trail)
        return hidden
    if not isinstance(given, PlanFile):
        return _with_control(given, to_code)
    roles, plan = given.roles, _with_control(given.plan, to_code)
    chosen = tuple(to_code.get(name, name) for name in roles.algorithms)
    roles = dataclasses.replace(roles, file=None, algorithms=chosen)
    text = toml_text.plan_text(roles, given.metrics, plan)
    _refuse_signed(to_code, text, given.trail)
    return PlanFile(
        content=text.encode("utf-8"),
        name=f"{_HIDDEN_FILE}.toml",
        folder=given.folder,
        trail=given.trail,
    )


def _refuse_signed(names: Iterable[str], text: str, trail: Sequence[Entry]) -> None:
    """Reject names in a plan with codes, and in what people wrote into its trail."""
    _refuse_names(
        names, [text, *chain.from_iterable(map(_words_of, trail))], "the plan"
    )


def _words_of(entry: Entry) -> Iterator[str]:
    """Yield what a person wrote into an entry of a trail."""
    told = (entry.by, entry.role, entry.meaning, entry.reason)
    return (text for text in told if text is not None)


def _refuse_names(names: Iterable[str], texts: Iterable[str], where: str) -> None:
    """Reject texts that contain a name as a word; numbers and letters are no names."""
    told = [name for name in names if len(name) > 1 and not name.isdigit()]
    words = "|".join(map(_word, sorted(told, key=len, reverse=True)))
    match = re.search(words, "\n".join(texts), re.IGNORECASE) if told else None
    if match is not None:
        raise InputError(
            f"{where} contain the name of an algorithm, {show(match.group())}, outside "
            f"the names of algorithms ({show_all(told)}): a blinded report would show "
            "it; rename one of the two"
        )


def _word(name: str) -> str:
    """Return the pattern of a name that is not a part of a longer word."""
    before = r"(?<![^\W_])" if name[0].isalnum() else ""
    after = r"(?![^\W_])" if name[-1].isalnum() else ""
    return before + re.escape(name) + after
