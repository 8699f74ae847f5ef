"""``pycompare verify``: whether a report is as it was written."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from pycompare.cli.options import Grouped, option


@click.command(cls=Grouped, example="pycompare verify report --recompute")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@option(
    "--recompute",
    is_flag=True,
    help="Write the report again and compare every file.",
    group="Checks",
)
@option(
    "--signers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Allowed signers, as ssh-keygen -Y verify reads them.",
    group="Checks",
)
@option(
    "--signer",
    metavar="NAME",
    help="Required signer of the manifest.",
    group="Checks",
)
@option(
    "--key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Key of a blinded report. Default: DIR.key.json, if it is there.",
    group="Checks",
)
@option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Certificate of this report: its folder, or its JSON file.",
    group="Checks",
)
@option("--json", "as_json", is_flag=True, help="Print JSON.", group="Output")
def verify(
    folder: Path,
    recompute: bool,
    signers: Path | None,
    signer: str | None,
    key: Path | None,
    certificate: Path | None,
    as_json: bool,
) -> None:
    """Check every file of the report DIR against its manifest.

    Each change is named: the file, and the cell or value in it. The exit status is 1 if
    a file was changed or is not reproduced.
    """
    from pycompare.reporting.verify import verify as check

    found = check(
        folder,
        recompute=recompute,
        signers=signers,
        signer=signer,
        key=key,
        certificate=certificate,
    )
    click.echo(json.dumps(found.to_dict()) if as_json else found.summary())
    sys.exit(0 if found.passed else 1)
