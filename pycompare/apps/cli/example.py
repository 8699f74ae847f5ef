"""``pycompare example``: an example table or plan."""

from __future__ import annotations

from pathlib import Path

import click

from pycompare.apps.cli.options import Grouped, option, write_new


@click.command(cls=Grouped, example="pycompare example folds --out folds.csv")
@click.argument("name", default="garcia-herrera-2008")
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write. Default: print the example.",
    group="Output",
)
def example(name: str, out: Path | None) -> None:
    """Print an example table, or write it to FILE.

    NAME: garcia-herrera-2008 (5 classifiers on 30 data sets, the default),
    garcia-herrera-2008-plan (the published analysis of these), folds (5 classifiers on
    30 folds of one data set), predictions (3 classifiers on the cases of 8 data sets)
    or predictions-plan (a plan for these).
    """
    from pycompare.data.examples import example_command, example_path

    text = example_path(name).read_text(encoding="utf-8")
    if out is None:
        click.echo(text, nl=False)
        return
    write_new(out, text)
    if name == "predictions":
        click.echo("pycompare example predictions-plan --out predictions.toml")
    click.echo(f"pycompare {example_command(name, out)} --out DIR")
