"""``pycompare plan``: a plan file to fill in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from pycompare.cli.files import write_new
from pycompare.cli.options import AS_WRITTEN, Grouped, given, option


@click.command(
    cls=Grouped,
    example="pycompare plan scores.csv --out plan.toml"
    "\n\npycompare plan plan.toml --seal"
    "\n\npycompare plan plan.toml --n 8 --n-algorithms 5",
)
@click.argument("file", metavar="DATA|PLAN", type=click.Path(path_type=Path))
@option(
    "--seal",
    is_flag=True,
    help="Seal the plan file PLAN: write its hash and the date to PLAN.seal.",
    group="Plan",
)
@option(
    "--n",
    type=int,
    metavar="N",
    help="Print what no outcome of N blocks can reach by the plan file PLAN.",
    group="Plan",
)
@option(
    "--n-algorithms",
    type=int,
    metavar="K",
    help="Algorithms, with --n, where PLAN does not list them.",
    group="Plan",
)
@option(
    "--wide",
    is_flag=True,
    help="One row per block, one column per algorithm.",
    group="Data",
)
@option(
    "--predictions",
    is_flag=True,
    help="One row per case and algorithm, with the true class and a score.",
    group="Data",
)
@option(
    "--model",
    is_flag=True,
    help="Plan of a linear model by formula ([model]).",
    group="Data",
)
@AS_WRITTEN
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Plan file to write. Default: print the plan.",
    group="Output",
)
def plan(
    file: Path,
    seal: bool,
    n: int | None,
    n_algorithms: int | None,
    wide: bool,
    predictions: bool,
    model: bool,
    out: Path | None,
    **written: Any,
) -> None:
    """Print a plan for DATA to fill in, or write it to FILE.

    The better direction of a metric is never guessed: fill it in. Unfilled lines are
    refused by name. Then: pycompare run FILE --out DIR.

    With --seal, check the plan file PLAN and seal it before the data are analysed.
    Reports state the seal. A plan that was changed after sealing is refused.

    With --n, print which test and adjustment PLAN has with N blocks (data sets, cases
    or folds), the smallest adjusted p-value, and what no outcome can show.
    """
    from pycompare.plans.starter import starter_plan

    of_data = wide or predictions or model or out is not None or bool(given(written))
    if n is not None:
        if of_data or seal:
            raise click.UsageError(
                "--n takes a plan file, and no other option than --n-algorithms"
            )
        _reach(file, n, n_algorithms)
        return
    if n_algorithms is not None:
        raise click.UsageError("--n-algorithms needs the number of blocks, --n N")
    if seal:
        if of_data:
            raise click.UsageError("--seal takes a plan file and no other option")
        _seal(file)
        return
    folder = "." if out is None else out.parent
    text = starter_plan(
        file,
        wide=wide,
        predictions=predictions,
        model=model,
        folder=folder,
        **given(written),
    )
    if out is None:
        click.echo(text, nl=False)
        return
    write_new(out, text)
    from pycompare.labels import printable, readable

    name = readable(str(out))
    run = f"pycompare run {shlex.quote(name)} --out DIR"
    click.echo(printable(f"Fill in {name}, then: {run}"))


def _seal(file: Path) -> None:
    """Check a plan and write its hash and the date beside it.

    A plan of a blinded analysis gets a keyed hash, and its secret beside it.
    """
    from pycompare.plans.model_plan import read_model_plan
    from pycompare.plans.plan_file import PlanFile, read_plan
    from pycompare.plans.plan_seal import seal_path, seal_texts, secret_path
    from pycompare.reporting.provenance import now, stamp

    planned = read_model_plan(file) or read_plan(file)
    blind = isinstance(planned, PlanFile) and planned.plan.blind
    texts = seal_texts(file, file.read_bytes(), stamp(now()), blind)
    for path in texts:
        if path.exists():
            raise click.UsageError(f"{path} exists; choose another name")
    for path, text in texts.items():
        write_new(path, text)
    click.echo(f"Sealed: {seal_path(file)}")
    if blind:
        click.echo(f"Secret of the seal, not for the analyst: {secret_path(file)}")
    else:
        click.echo(f"SHA-256 of the plan: {planned.sha256}")


def _reach(file: Path, n: int, n_algorithms: int | None) -> None:
    """Print what a plan can reach with so many blocks."""
    from pycompare.analyses.reach import reach_of
    from pycompare.labels import printable
    from pycompare.plans.model_plan import read_model_plan
    from pycompare.plans.plan_file import read_plan
    from pycompare.reporting.content.reach_words import lines_of

    if read_model_plan(file) is not None:
        raise click.UsageError(
            f"--n: {file} plans a linear model, whose tests depend on its columns"
        )
    for line in lines_of(reach_of(read_plan(file), n, n_algorithms)):
        click.echo(printable(line))
