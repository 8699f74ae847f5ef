"""``validate``: qualify this machine by comparing every statistic with R."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pycompare.errors import InputError, ReferenceUnavailable

PACKAGE = "pycompare_validation"


def validation_folder() -> Path:
    """Return the folder of checks: inside the installed package, or beside it.

    Raises
    ------
    ReferenceUnavailable
        If this copy of pycompare has none.
    """
    package = Path(__file__).parent
    for folder in (package / "validation", package.parent / "validation"):
        if (folder / "checks.py").is_file():
            return folder
    raise ReferenceUnavailable(
        f"no folder 'validation' in or beside {package}; install pycompare again"
    )


def load(module: str) -> Any:
    """Import a module of the checks, wherever their folder is.

    They are loaded as ``pycompare_validation``: the folder's plain name may be taken by
    somebody else's package.
    """
    if PACKAGE not in sys.modules:
        folder = validation_folder()
        spec = importlib.util.spec_from_file_location(
            PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None and spec.loader is not None
        package = importlib.util.module_from_spec(spec)
        sys.modules[PACKAGE] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"{PACKAGE}.{module}")


def validate(
    folder: str | Path,
    *,
    only: Sequence[str] = (),
    overwrite: bool = False,
    progress: bool = False,
) -> Any:
    """Compare every statistic with R, live, and write the agreement table.

    Parameters
    ----------
    folder : str or Path
        Written aside and renamed: agreement.html, agreement.json.
    only : sequence of str
        Run only checks whose name contains one of these.
    overwrite : bool, default False
        Replace an earlier agreement table.
    progress : bool, default False
        Tell on stderr which check is running.

    Returns
    -------
    validation.agreement.Agreement
        ``passed`` only if every number was compared and agrees. A missing R, a missing
        R package, an error or crash in R is "not verified", which is not a pass.

    Raises
    ------
    InputError
        If no check has such a name, or the folder may not be replaced.
    """
    agreement, checks, page = map(load, ("agreement", "checks", "page"))
    page.check_target(Path(folder), overwrite)
    chosen = [
        check
        for check in checks.all_checks()
        if not only or any(word in check.statistic for word in only)
    ]
    if not chosen:
        raise InputError(f"no check has {' or '.join(map(repr, only))} in its name")
    tell = (lambda line: print(line, file=sys.stderr)) if progress else None
    outcome = agreement.run(chosen, progress=tell)
    page.write(outcome, Path(folder))
    return outcome
