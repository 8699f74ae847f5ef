"""``certificate``: ranks with their uncertainty, to be embedded and checked."""

from __future__ import annotations

from pathlib import Path

from pycompare.base.arguments import check_flags
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.reporting import folder
from pycompare.reporting.evidence.certified import (
    CERTIFICATE,
    MADE_BY,
    certified,
    files_of_certificate,
)
from pycompare.reporting.evidence.manifest import as_written
from pycompare.reporting.verify import verify

_MARK = folder.FolderMark(MADE_BY, CERTIFICATE, ("certificate.html", "badge*.svg"))


@checked
def certificate(report: str | Path, to: str | Path, *, overwrite: bool = False) -> Path:
    """Write a certificate of a report: ranks with their uncertainty, to be embedded.

    Parameters
    ----------
    report : path
        Folder of a report of ``pc.compare``. Its files must be as they were written.
    to : path
        Folder of the certificate: ``certificate.json``, ``certificate.html``, and
        ``badge.svg`` (``badge1.svg``, ... if there are several rankings).
    overwrite : bool, default False
        Replace an earlier certificate.

    Returns
    -------
    Path
        The folder of the certificate.

    Raises
    ------
    InputError
        If a file of the report was changed, if the report has no ranks (comparisons
        with a control, wins that may form a circle), or if the folder exists.

    Notes
    -----
    Check it by ``pc.verify(report, certificate=to)``. R: no equivalent.

    Examples
    --------
    >>> import json
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report(comparison, f"{folder}/report")
    ...     written = pc.certificate(report, f"{folder}/certificate")
    ...     held = json.loads((written / "certificate.json").read_text())
    ...     passed = pc.verify(report, certificate=written).passed
    >>> held["rankings"][0]["may_be_best"], passed
    (['C4.5', 'NaiveBayes'], True)
    """
    source, target = Path(report), Path(to)
    check_flags(overwrite=overwrite)
    _MARK.check_target(target, overwrite)
    check = verify(source)
    if not check.passed:
        raise InputError(
            f"{source} is not as it was written ({check.problems[0]}); write the "
            "report again"
        )
    with as_written(source):
        files = files_of_certificate(certified(source))

    def fill(new: Path) -> None:
        for name, content in files.items():
            (new / name).write_bytes(content)

    folder.write_aside(target, fill)
    return target
