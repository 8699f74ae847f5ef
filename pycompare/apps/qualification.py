"""``validate``: qualify this machine by comparing every statistic with R."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pycompare.apps.comparison import compare
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, ReferenceUnavailable, setting
from pycompare.base.formatting.counts import listed
from pycompare.base.parallel.place import cores, is_placed, working
from pycompare.base.parallel.progress import discard
from pycompare.base.parallel.unfinished import is_keeping, keeping
from pycompare.designs.planned_analysis import analysed_file
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.plan_file import read_plan
from pycompare.reporting.evidence.cross_check import read_cross_check
from pycompare.reporting.evidence.manifest import MANIFEST, read_manifest
from pycompare.reporting.report import report

_PACKAGE = "pycompare_validation"


def _validation_folder() -> Path:
    """Return the folder of checks: inside the installed package, or beside it.

    Raises
    ------
    ReferenceUnavailable
        If this copy of pycompare has none.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "validation", package.parent / "validation"):
        if (folder / "running.py").is_file():
            return folder
    raise ReferenceUnavailable(
        f"no folder 'validation' in or beside {package}; install pycompare again"
    )


def _load(module: str) -> Any:
    """Import a module of the checks, wherever their folder is.

    They are loaded as ``pycompare_validation``: the folder's plain name may be taken by
    somebody else's package.
    """
    if _PACKAGE not in sys.modules:
        folder = _validation_folder()
        spec = importlib.util.spec_from_file_location(
            _PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None and spec.loader is not None
        package = importlib.util.module_from_spec(spec)
        sys.modules[_PACKAGE] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"{_PACKAGE}.{module}")


@checked
def validate(
    folder: str | Path,
    *,
    only: Sequence[str] = (),
    use: str = "",
    risk: str = "high",
    data: str | Path | None = None,
    plan: str | Path | None = None,
    overwrite: bool = False,
    progress: bool = False,
    quick: bool = False,
    workers: int | None = None,
    scheduler: str | Any | None = None,
    time_limit: float = 900.0,
    check_time_limit: float = 120.0,
) -> Any:
    """Compare every statistic with R and other references on this machine.

    The result is the evidence file of an intended use: installation (versions, files
    against the wheel's RECORD), operation (every statistic against a reference) and
    performance (the user's own data, repeated in R), and the gaps for the intended use.

    Parameters
    ----------
    folder : str or Path
        Written aside and renamed: evidence.html, evidence.json, and evidence.pdf with
        the extra ``pdf``; in ``qualification/`` a validation plan, installation,
        operational and performance qualification and traceability, filled from the
        run, with lines for names; and manifest.json, so that ``pc.verify`` and
        ``pc.diff`` take the folder. Until then the finished checks are kept beside it,
        in FOLDER.unfinished: a run that was ended goes on there when it is called again
        with the same software.
    only : sequence of str
        Run only checks whose name contains one of these.
    use : str
        Intended use (report title).
    risk : {"high", "not-high"}
        Process risk of the use (computer software assurance). A quick run is not enough
        if it is high.
    data, plan : path, optional
        A table and a plan file: the comparison is made, R repeats it by
        ``reproduce.R``, and its report is in the folder ``own_data``. ``plan`` alone is
        enough if it names the table.
    overwrite : bool, default False
        Replace earlier evidence.
    progress : bool, default False
        Write on stderr which checks are done and how much time is left.
    quick : bool, default False
        Compare only the first case of each check.
    workers : int, optional
        Processes at a time, each with its R. Default: as ``joblib.parallel_config`` is
        set, or one for each core.
    scheduler : str or dask client, optional
        Address of a dask.distributed scheduler, its file, or ``env``
        (DASK_SCHEDULER_ADDRESS). Its workers need the same pycompare, checks, R and
        packages of R, which is checked.
    time_limit, check_time_limit : float
        Seconds for the whole run and for one check; checks not done by then are "not
        verified".

    Returns
    -------
    validation.evidence.Evidence
        ``passed`` only if every number was compared and agrees. A missing R, a missing
        R package, an error or crash in R is "not verified", which is not a pass.

    Raises
    ------
    InputError
        If no check has such a name, the folder may not be replaced, a number is not
        positive, there is no such risk, or the data are given without a plan.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:  # needs R
    ...     agreement = pc.validate(f"{folder}/agreement", only=["McNemar"], quick=True)
    >>> agreement.passed
    True
    """
    running, page, evidence, installed = map(
        _load, ("running", "page", "evidence", "installed")
    )
    if risk not in evidence.RISKS:
        raise InputError(setting("risk", risk) + f": choose {listed(evidence.RISKS)}")
    if data is not None and plan is None:
        raise InputError(setting("data", str(data)) + " needs " + setting("plan"))
    _require_positive(time_limit=time_limit, check_time_limit=check_time_limit)
    if workers is not None:
        _require_positive(workers=workers)
    folder = Path(folder)
    page.check_target(folder, overwrite)
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    chosen = _chosen(tuple(only))
    if not chosen:
        raise InputError(f"no check has {' or '.join(map(repr, only))} in its name")
    tell = _on_stderr if progress else None
    files = installed.installed_files()
    if tell is not None and not files.verified:
        why = files.reason or "installed files were changed"
        tell(f"Installed files are not those of a wheel: {why}.")
    own = None if plan is None else _read(data, Path(plan))
    if workers is None and scheduler is None and not is_placed():
        workers = cores()
    with nullcontext() if is_keeping() else keeping(unfinished):
        with working(workers, scheduler, tell or discard):
            outcome = running.run(
                chosen,
                quick=quick,
                seconds=time_limit,
                check_seconds=check_time_limit,
                only=tuple(only),
                task=_rows_of,
            )
        with TemporaryDirectory() as aside:
            repeated = None if own is None else _own_data(own, Path(aside))
            record = evidence.Evidence(
                agreement=outcome,
                installed=files,
                use=use or evidence.USE,
                risk=risk,
                complete=not only,
                own_data=repeated and evidence.OwnData(**repeated),
            )
            page.write(record, folder, repeated and Path(aside) / _OWN_DATA)
    return record


@cache
def _chosen(only: tuple[str, ...]) -> list[Any]:
    """Return the checks whose names contain one of some words."""
    return [
        check
        for check in _load("checks").all_checks()
        if not only or any(word in check.statistic for word in only)
    ]


def _rows_of(terms: Any, number: int) -> Any:
    """Do one check on any machine, which loads the checks first."""
    return _load("running").plain_rows(_chosen(terms["only"])[number], terms)


_OWN_DATA = "own_data"


def _read(data: str | Path | None, plan: Path) -> Callable[[], Any]:
    """Read the user's plan and data, before the checks take their time.

    The returned function makes the analysis.
    """
    analysis = read_analysis_plan(plan)
    if analysis is not None:
        if data is not None and Path(data).resolve() != analysis.path.resolve():
            raise InputError(
                setting("data", str(data))
                + f": {analysis.name} names another table, {analysis.path}; leave it "
                "out"
            )
        analysed_once = analysed_file(analysis)
        return lambda: analysed_once
    planned = read_plan(plan)
    read = planned.read_data(data)
    return lambda: compare(read, planned)


def _own_data(make: Callable[[], Any], aside: Path) -> dict[str, Any]:
    """Analyse the user's data as planned, and let R repeat it; return R's output."""
    written = report(make(), aside / _OWN_DATA, cross_check=True)
    said = read_cross_check(written)
    held = read_manifest(written)
    inputs = {entry["what"]: entry["name"] for entry in held["inputs"]}
    return {
        "file": inputs.get("data file", ""),
        "plan": inputs["plan file"],
        "manifest_sha256": sha256((written / MANIFEST).read_bytes()).hexdigest(),
        "passed": said.passed and said.compared > 0,
        "conclusion": said.conclusion,
    }


def _on_stderr(line: str) -> None:
    """Write a line of progress."""
    print(line, file=sys.stderr, flush=True)


def _require_positive(**numbers: float) -> None:
    """Reject a number that is not above zero.

    Raises
    ------
    InputError
        Naming the parameter.
    """
    for name, number in numbers.items():
        if not number > 0:
            raise InputError(f"{name}={number!r}: give a number above 0")
