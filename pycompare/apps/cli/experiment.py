"""``pycompare experiment``: from learners and data sets to predictions."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from pycompare.apps.cli.long_work import shared_work
from pycompare.apps.cli.options import Grouped, option


@click.command(cls=Grouped, example="pycompare experiment plan.toml --out predictions")
@click.argument("plan", metavar="PLAN.toml", type=click.Path(path_type=Path))
@option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="Folder of predictions: new, or of the same plan.",
    group="Output",
)
@shared_work
def experiment(plan: Path, out: Path) -> None:
    """Train and test learners on data sets by the table [experiment] of PLAN.toml.

    The table has data (a path, or names with paths), target, positive, learners (names
    with "module:Class"), protocol (held-out, stratified-folds, repeated-folds,
    five-by-two or disjoint-sets; folds, repeats, sets) and seed. The learners are your
    code: it is imported and run with your rights, on the workers too.

    An interrupted run resumes when the same command is called again.
    """
    from pycompare.apps.experiments.planned import read_experiment
    from pycompare.apps.experiments.runner import experiment as run
    from pycompare.base.labels import printable, readable

    stated = read_experiment(plan)
    cases = run(
        stated.datasets,
        stated.learners,
        protocol=stated.protocol,
        folder=out,
        seed=stated.seed,
    )
    click.echo(printable(repr(cases)))
    for note in cases.notes:
        click.echo(printable(note))
    words = ["pycompare", "measure", str(out), *_ROLES, "--metric", "auc"]
    words += ["--out", "scores.parquet"]
    click.echo(printable(f"Measure them: {readable(shlex.join(words))}"))


_ROLES = (
    *("--algorithm", "algorithm", "--dataset", "dataset", "--block", "fold"),
    *("--case", "case", "--label", "label", "--score", "score"),
    *("--positive", "positive"),
)
