"""``pycompare certificate``: ranks of a report with their uncertainty, to embed."""

from __future__ import annotations

from pathlib import Path

import click

from pycompare.apps.cli.options import Grouped, option


@click.command(cls=Grouped, example="pycompare certificate report --out certificate")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("certificate"),
    show_default=True,
    metavar="DIR",
    help="Folder of the certificate.",
    group="Output",
)
@option(
    "--overwrite",
    is_flag=True,
    help="Replace an earlier certificate.",
    group="Output",
)
def certificate(folder: Path, out: Path, overwrite: bool) -> None:
    """Write a certificate of the report DIR: a JSON file, a page and a badge.

    It states each algorithm's confidence set of ranks, the plan, and the hashes by
    which pycompare verify DIR --certificate checks it.
    """
    from pycompare.reporting.certificate import certificate as write

    written = write(folder, out, overwrite=overwrite)
    click.echo(f"Certificate: {written / 'certificate.html'}")
