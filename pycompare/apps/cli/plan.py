"""``pycompare plan``: a plan file to fill in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.options import AS_WRITTEN, Grouped, given, option, write_new


@click.command(
    cls=Grouped,
    example="pycompare plan scores.csv --out plan.toml"
    '\n\npycompare plan plan.toml --seal --by "Ann Lee" --role statistician'
    '\n\npycompare plan plan.toml --amend --by "Ann Lee" --reason "new margin"'
    "\n\npycompare plan plan.toml --n 8 --n-algorithms 5",
)
@click.argument("file", metavar="DATA|PLAN", type=click.Path(path_type=Path))
@option(
    "--seal",
    is_flag=True,
    help="Seal the plan file PLAN: write its hash and the time to PLAN.trail.jsonl.",
    group="Plan",
)
@option(
    "--amend",
    is_flag=True,
    help="Seal PLAN again after a change, with --reason.",
    group="Plan",
)
@option(
    "--by",
    metavar="NAME",
    help="Who seals or amends the plan.",
    group="Plan",
)
@option(
    "--role",
    metavar="ROLE",
    help="Role of that person, such as statistician.",
    group="Plan",
)
@option(
    "--meaning",
    metavar="TEXT",
    help="Meaning of the signature, such as author or approval.",
    group="Plan",
)
@option(
    "--reason",
    metavar="TEXT",
    help="Reason of the amendment.",
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
    help="Algorithms, with --n, if PLAN does not list them.",
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
@option(
    "--readers",
    is_flag=True,
    help="Plan of modalities, readers and cases ([readers]).",
    group="Data",
)
@option(
    "--marks",
    is_flag=True,
    help="With --readers: one row per free-response mark.",
    group="Data",
)
@option(
    "--curves",
    is_flag=True,
    help="Plan of ROC curves ([curves]).",
    group="Data",
)
@option(
    "--battles",
    is_flag=True,
    help="Plan of battles of two models (format = battles).",
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
    amend: bool,
    by: str | None,
    role: str | None,
    meaning: str | None,
    reason: str | None,
    n: int | None,
    n_algorithms: int | None,
    wide: bool,
    predictions: bool,
    model: bool,
    readers: bool,
    marks: bool,
    curves: bool,
    battles: bool,
    out: Path | None,
    **written: Any,
) -> None:
    """Print a plan for DATA to fill in, or write it to FILE.

    The better direction of a metric is never guessed: fill it in. Unfilled lines are
    rejected by name. Then: pycompare run FILE --out DIR.

    With --seal, check the plan file PLAN and seal it before the data are analysed: who,
    when and the hash of the plan are written to PLAN.trail.jsonl, to which run and
    unblind add. Reports show it. A plan that was changed after sealing is rejected
    until it is sealed again with --amend.

    With --n, print which test and adjustment PLAN has with N blocks (data sets, cases
    or folds), the smallest adjusted p-value, and what no outcome can show.
    """
    from pycompare.designs.plans.starter import starter_plan

    kinds: dict[str, Any] = {
        "wide": wide,
        "predictions": predictions,
        "model": model,
        "readers": readers,
        "marks": marks,
        "curves": curves,
        "battles": battles,
    }
    of_data = any(kinds.values()) or out is not None or bool(given(written))
    signed = {"by": by, "role": role, "meaning": meaning, "reason": reason}
    if not (seal or amend) and (named := given(signed)):
        raise click.UsageError(
            f"--{next(iter(named))} is of a seal: set --seal or --amend as well"
        )
    if n is not None:
        if of_data or seal or amend:
            raise click.UsageError(
                "--n takes a plan file, and no other option than --n-algorithms"
            )
        _reach(file, n, n_algorithms)
        return
    if n_algorithms is not None:
        raise click.UsageError("--n-algorithms needs the number of blocks, --n N")
    if seal or amend:
        if of_data or (seal and amend):
            which = "--seal" if seal else "--amend"
            raise click.UsageError(
                f"{which} takes a plan file, and no other option than --by, --role, "
                f"--meaning{'' if seal else ' and --reason'}"
            )
        _seal(file, signed, amend=amend)
        return
    folder = "." if out is None else out.parent
    text = starter_plan(
        file,
        **kinds,
        folder=folder,
        **given(written),
    )
    if out is None:
        click.echo(text, nl=False)
        return
    write_new(out, text)
    from pycompare.base.labels import printable, readable

    name = readable(str(out))
    run = f"pycompare run {shlex.quote(name)} --out DIR"
    click.echo(printable(f"Fill in {name}, then: {run}"))


def _seal(file: Path, signed: dict[str, str | None], *, amend: bool) -> None:
    """Check a plan and add its seal, or an amendment, to its trail."""
    from pycompare.apps.planned_run import seal_plan
    from pycompare.designs.plans import trail

    if signed["by"] is None:
        raise click.UsageError("--by is missing: name who seals the plan")
    if amend != (signed["reason"] is not None):
        raise click.UsageError(
            "--amend needs a reason: --reason TEXT"
            if amend
            else "--reason is of an amendment: --amend instead of --seal"
        )
    entry = seal_plan(file, trail.Signed(**signed))
    click.echo(f"{'Amended' if amend else 'Sealed'}: {trail.trail_path(file)}")
    if entry.names == "hidden":
        secret = trail.secret_path(file)
        click.echo(f"Secret of the seal, not for the analyst: {secret}")
    else:
        click.echo(f"SHA-256 of the plan: {entry.plan}")
    click.echo(f"SHA-256 of this entry: {entry.sha256}")


def _reach(file: Path, n: int, n_algorithms: int | None) -> None:
    """Print the reach of a plan with so many blocks."""
    from pycompare.base.labels import printable
    from pycompare.designs.plans.analysis_plans import read_analysis_plan
    from pycompare.designs.plans.plan_file import read_plan
    from pycompare.designs.reach import reach_of
    from pycompare.reporting.content.reach_words import lines_of, lines_of_gate

    planned = read_analysis_plan(file)
    if planned is not None:
        raise click.UsageError(
            f"--n: {file} is a plan of {planned.data_format or [*planned.tables][1]}, "
            "whose tests depend on more than the number of blocks; see pycompare power"
        )
    plan_file = read_plan(file)
    if plan_file.release is not None:
        from pycompare.designs.gate_reach import reach_of_gate

        lines = lines_of_gate(reach_of_gate(plan_file, n, n_algorithms))
    else:
        lines = lines_of(reach_of(plan_file, n, n_algorithms))
    for line in lines:
        click.echo(printable(line))
