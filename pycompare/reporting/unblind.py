"""``unblind``: a blinded report with the names of the algorithms."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.data.source import Source
from pycompare.designs.blinding import (
    Blinding,
    BlindingKey,
    key_from,
    key_path,
    plan_file_of,
    unblinded,
)
from pycompare.designs.compare import Comparison, analyse
from pycompare.designs.planned_analysis import PlannedAnalysis
from pycompare.designs.plans import chain
from pycompare.designs.plans.trail import Signed, add_event, sealed_by
from pycompare.reporting import planned_report
from pycompare.reporting.comparison_folder import write
from pycompare.reporting.comparison_report import with_firmness
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.conclusions import conclusions
from pycompare.reporting.evidence.json_places import is_number, leaves
from pycompare.reporting.evidence.manifest import MANIFEST, as_written, read_manifest
from pycompare.reporting.evidence.recompute import (
    asked_plan,
    compared_data,
    curves_again,
    readers_again,
)
from pycompare.reporting.evidence.shortened import alike, as_long_as
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.provenance import set_date, stamp
from pycompare.reporting.verify import verify
from pycompare.results.result import plain


@checked
def unblind(
    folder: str | Path,
    to: str | Path,
    *,
    key: str | Path | None = None,
    plan: str | Path | None = None,
    by: str | None = None,
    **writing: Unpack[Writing],
) -> Path:
    """Write the report of a blinded comparison with the names of the algorithms.

    The blinded folder is checked first and stays as it is. The analysis is made again
    from its data, with the names: every number must be that of the blinded report.
    Then the algorithms come in the order of the data again, and pairs are turned with
    them, so that ``pc.diff`` can compare the report with one that had no codes. If
    random draws depend on the order and a conclusion with them, the order is that of
    the codes.

    Parameters
    ----------
    folder : path
        Of a blinded report (``Plan(blind=True)``).
    to : path
        Folder of the report with names.
    key : path, optional
        Default: FOLDER.key.json beside the folder.
    plan : path, optional
        The plan file, if it was sealed: the unblinding is added to its trail. Required
        then.
    by : str, optional
        Who unblinds, for the trail. Required with ``plan``.
    **writing
        As in ``pc.report``.

    Returns
    -------
    Path
        The folder with names.

    Raises
    ------
    InputError
        If the folder is not that of a blinded report, was changed, has another key, or
        would be replaced; or if the plan was sealed, and its file is not given, is
        another one, or lacks entries of the trail that the folder has.

    Notes
    -----
    Source: blinded analysis as in ICH E9, section 2.3.2. R: no equivalent.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> plan = pc.Plan(blocks="datasets", blind=True)
    >>> comparison = pc.compare(pc.example(), plan)
    >>> comparison.scores.algorithms[:2]
    ('Algorithm 1', 'Algorithm 2')
    >>> with TemporaryDirectory() as folder:
    ...     blinded = pc.report(comparison, f"{folder}/blinded")
    ...     named = pc.unblind(blinded, f"{folder}/named")
    ...     "C4.5" in (named / "report.html").read_text()
    True
    """
    blinded = Path(folder)
    if Path(to).exists() and blinded.exists() and Path(to).samefile(blinded):
        raise InputError(
            f"the report with names would replace the blinded report {blinded}, which "
            f"is the record of the blinded analysis; choose another folder"
        )
    held = read_manifest(blinded)
    FolderMark(str(held["report"])).check_target(
        Path(to), writing.get("overwrite", False)
    )
    with as_written(blinded):
        blinding_key = _key_of(blinded, held, None if key is None else Path(key))
        opened = _opened(blinded, held, blinding_key, arranged=False)
        _require_same_numbers(blinded, opened)
        arranged = _opened(blinded, held, blinding_key, arranged=True)
        alpha = float(held["plan"]["settled"]["alpha"])
        if _concluded(arranged, alpha) == _concluded(opened, alpha):
            opened = arranged
    opened = _told_of(opened, plan, by)
    if isinstance(opened, Comparison):
        return write(opened, to, **writing)
    return planned_report.write(opened, to, **writing)


_Opened = Comparison | PlannedAnalysis


def _told_of(opened: _Opened, plan: str | Path | None, by: str | None) -> _Opened:
    """Add the unblinding to the trail of a sealed plan, and the trail to the report."""
    file = opened.plan_file
    if file is None or not file.trail:
        if plan is not None or by is not None:
            raise InputError(
                f"{setting('plan' if plan is not None else 'by')} is of a sealed plan, "
                "and the plan of this report was not sealed; leave it out"
            )
        return opened
    if plan is None or by is None:
        raise InputError(
            f"the plan of this report, {file.name}, was sealed: name the plan file and "
            "who unblinds, for its trail (--plan PLAN --by NAME)"
        )
    content = Path(plan).read_bytes()
    trail = sealed_by(Path(plan), content)
    if content != file.content or trail[: len(file.trail)] != file.trail:
        raise InputError(
            f"{plan} is not the plan of this report, or its trail lacks entries that "
            "the report has; name the plan file as it was when the report was made"
        )
    date = None if (given := set_date()) is None else stamp(given)
    trail = add_event(Path(plan), content, "unblinded", Signed(by=by), date=date)
    filed: Any = dataclasses.replace(file, trail=trail)
    return dataclasses.replace(opened, plan_file=filed)


def _key_of(folder: Path, held: Mapping[str, Any], given: Path | None) -> BlindingKey:
    """Return the key of a folder that is blinded and as it was written."""
    if held.get("blinding", {}).get("state") != "blinded":
        raise InputError(f"{folder} is not a blinded report; it has the names already")
    path = key_path(folder.resolve()) if given is None else given
    if not path.is_file():
        raise InputError(f"there is no key {path}; name the file of the key (--key)")
    checked = verify(folder, key=path)
    if not checked.passed:
        problems = chain.told([*map(str, checked.problems)])
        rest = len(checked.problems) > chain.NAMED
        listed = f"{problems}: pycompare verify {folder}" if rest else problems
        raise InputError(f"{folder} cannot be unblinded: {listed}")
    return key_from(path.read_text(encoding="utf-8"))


_ANALYSES = {"pycompare mrmc": readers_again, "pycompare curves": curves_again}
"""What makes the analysis of a plan of readers or curves again, by its report."""


def _opened(
    folder: Path, held: Mapping[str, Any], key: BlindingKey, *, arranged: bool
) -> _Opened:
    """Return the analysis with names, in the order of the codes or of the data."""
    blinding = Blinding(
        key=key,
        opened=True,
        blinded_manifest=hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest(),
    )
    if held["report"] in _ANALYSES:
        plan_file: Any = plan_file_of(key)
        return dataclasses.replace(
            _ANALYSES[held["report"]](folder, held, key, arranged=arranged),
            plan_file=plan_file,
            source=None if key.file is None else Source(**key.file, **_OF_CODES),
            blinding=blinding,
        )
    coded, asked = compared_data(folder, held), asked_plan(held["plan"])
    data, plan = unblinded(coded, asked, key, arranged=arranged)
    return dataclasses.replace(analyse(data, plan), blinding=blinding)


_OF_CODES: Any = {"rows": 0, "format": ""}
"""Parts of a source that no report has."""


def _require_same_numbers(folder: Path, opened: _Opened) -> None:
    """Reject names that would go with other numbers than the blinded ones."""
    written = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    with as_long_as(written):
        results = _results(opened)
    again = json.loads(json.dumps(alike(plain(results), written)))
    old = {name: written[name] for name in again}
    if _numbers(old) != _numbers(again):
        raise InputError(
            f"the analysis of {folder} does not give the same numbers on this machine; "
            f"run pycompare verify {folder} --recompute"
        )


def _results(opened: _Opened) -> Any:
    if isinstance(opened, Comparison):
        return with_firmness(opened)
    return planned_report.contents(opened).results()


def _concluded(opened: _Opened, alpha: float) -> dict[str, str]:
    """Return the conclusions, of pairs whichever algorithm is the first."""
    held = json.loads(json.dumps(plain(_results(opened))))
    return conclusions(held, alpha, turned=True)


def _numbers(held: Mapping[str, Any]) -> list[str]:
    """Return the numbers of results to 12 digits, whatever the names beside them."""
    numbers = (value for _, value in leaves(held) if is_number(value))
    return [f"{float(value):.11e}" for value in numbers]
