"""``pycompare gate``: whether a candidate may replace a baseline."""

from __future__ import annotations

import dataclasses
import hashlib
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn, get_args

import click

from pycompare.apps.cli.long_work import gate_work
from pycompare.apps.cli.options import (
    GATE_FOLDER,
    Choice,
    Grouped,
    Output,
    declared,
    given,
    option,
    out_options,
    parse_metrics,
    parse_numbers,
    parse_ranges,
    require_directions,
    writes_report,
)
from pycompare.apps.cli.reports import called, progress, read_plan
from pycompare.base.arguments import check_alpha
from pycompare.base.errors import InputError, PyCompareError
from pycompare.base.labels import readable
from pycompare.base.typing import ItemsScope
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.release_keys import Release

_FAULT = 4
"""Exit status of a fault of the program: never that of a verdict."""
_FIRST_LINES, _FIRST_BYTES = 100, 100_000
"""Lines and bytes of a file that may have a header only."""
_LONGEST = 100
"""Characters of a name that stands for both files."""


@click.command(
    cls=Grouped,
    first=("margin", "metrics", "block", "slices", "cluster", "budget", "out"),
    example="pycompare gate old.jsonl new.jsonl --margin 0.02 --out gate\n\n"
    "pycompare gate scores.csv --baseline old --candidate new --algorithm model "
    "--block item --metric accuracy:higher --slices subject --margin 0.02",
)
@click.argument(
    "baseline_file",
    metavar="BASELINE",
    required=False,
    type=click.Path(path_type=Path),
)
@click.argument(
    "candidate_file",
    metavar="[CANDIDATE]",
    required=False,
    type=click.Path(path_type=Path),
)
@option(
    "--baseline", metavar="NAME", group="Data", help="Baseline, if one file holds both."
)
@option(
    "--metric",
    "metrics",
    multiple=True,
    callback=parse_metrics,
    metavar="NAME:higher|lower",
    help="Column of answers and its better direction. With several, each must pass.",
    group="Data",
)
@declared(Roles, "format", "group", "dataset", "transpose", "algorithms")
@declared(Release)
@option(
    "--plan",
    "plan_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    group="Gate",
    help="Plan file with the table [release], in the place of all options.",
)
@option(
    "--margin",
    multiple=True,
    metavar="X|METRIC=X",
    callback=parse_numbers,
    group="Gate",
    help="Required. Largest acceptable loss, in the metric's unit.",
)
@option(
    "--margin-alpha",
    type=float,
    metavar="X",
    group="Gate",
    help="One-sided error rate of a pass and of a fail. Default: 0.025.",
)
@option(
    "--alpha",
    type=float,
    metavar="X",
    group="Gate",
    help="Twice the error rate of --margin-alpha, in its place.",
)
@option(
    "--runs",
    type=Choice(["samples"]),
    group="Gate",
    help="Several answers to an item are drawn anew for each. Required if there are.",
)
@option(
    "--items-scope",
    type=Choice(get_args(ItemsScope)),
    group="Gate",
    help="New items like these, or new answers to these items (fixed).  "
    "[default: sampled]",
)
@option(
    "--range",
    multiple=True,
    metavar="LOW,HIGH|METRIC=LOW,HIGH",
    callback=parse_ranges,
    group="Gate",
    help="Lowest and highest possible score of graded answers.",
)
@out_options(required=False, default="gate")
@writes_report
@gate_work
def gate(
    baseline_file: Path | None,
    candidate_file: Path | None,
    plan_file: Path | None,
    output: Output,
    **options: Any,
) -> None:
    """Decide whether a candidate may replace a baseline on the same items.

    BASELINE and CANDIDATE are files or folders with the answers of one model each, as
    compare reads them. The first line is pass, fail or undecided. Exit status: 0 pass,
    1 fail, 2 bad input or a plan that equal answers cannot pass, 3 undecided, 4 a fault
    of pycompare.
    """
    asked = {name: held for name, held in given(options).items() if held != {}}
    if plan_file is not None:
        stated = [*asked, *(["BASELINE"] if baseline_file is not None else [])]
        if stated:
            raise click.UsageError(
                f"--plan and {stated[0]} both state the gate; leave one of them out"
            )
        end_as_planned(read_plan(plan_file), output)
    if baseline_file is None:
        raise click.UsageError("name the files of both models, or --plan FILE")
    _end(lambda: _gate(baseline_file, candidate_file, output, asked))


def end_as_planned(planned: Any, output: Output, by: str | None = None) -> NoReturn:
    """Decide as a plan file says, and end with the status of the verdict."""
    _end(lambda: _planned(planned, output, by))


def _planned(planned: Any, output: Output, by: str | None) -> int:
    """Decide as a plan file says; return the exit status."""
    from pycompare.apps.planned_run import run_gate
    from pycompare.reporting.gate_report import KIND

    if planned.release is None:
        raise InputError(
            f"{planned.name} has no table [release]: it is for pycompare run"
        )
    target = GATE_FOLDER if output.folder is None else output.folder
    KIND.check_target(target, output.overwrite)
    with progress() as tell:
        tell("gate")
        result = run_gate(planned, by)
    return _written(result, target, output)


def _end(decide: Callable[[], int]) -> NoReturn:
    """End with the status of a verdict; with that of a fault after any other error."""
    try:
        status = decide()
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except (PyCompareError, OSError, MemoryError):
        raise
    except Exception:
        traceback.print_exc()
        status = _FAULT
    click.get_current_context().exit(status)


def _gate(
    baseline: Path, candidate: Path | None, output: Output, options: dict[str, Any]
) -> int:
    """Read, decide, write and print; return the exit status."""
    from pycompare.designs import release
    from pycompare.reporting.gate_report import KIND

    if "margin" not in options:
        raise click.UsageError(
            "--margin is missing: give the largest acceptable loss, a number above 0 "
            "that is chosen before the answers are seen"
        )
    if "alpha" in options and "margin_alpha" in options:
        raise click.UsageError(
            "--alpha and --margin-alpha both state the error rate: leave one out"
        )
    if "alpha" in options:
        check_alpha(options["alpha"])
        options["margin_alpha"] = options.pop("alpha") / 2
    target = GATE_FOLDER if output.folder is None else output.folder
    KIND.check_target(target, output.overwrite)
    named: dict[str, str] = {
        role: options.pop(role) for role in ("baseline", "candidate") if role in options
    }
    metrics = options.pop("metrics", {})
    columns = options.pop("slices", ())
    roles = {name: options.pop(name) for name in {*keys_of(Roles)} & {*options}}
    with _answers(baseline, candidate, named, roles) as (path, names, more, files):
        scores, slices = _read(path, metrics, more, columns)
    with progress() as tell:
        tell("gate")
        asked: dict[str, Any] = {**names, **options}
        result = release.gate(scores, slices=slices, **asked)
        result = dataclasses.replace(result, files=files)
    return _written(result, target, output)


def _written(result: Any, target: Path, output: Output) -> int:
    """Write the report, print the verdict, and return the exit status."""
    from pycompare.reporting.report import report

    with progress():
        report(result, target, **called(), **output.options)
    status: int = result.exit_status
    if output.options["cross_check"]:
        status = _checked(target, status)
    if output.as_json:
        click.echo((target / "gate.json").read_text(encoding="utf-8"), nl=False)
    else:
        click.echo(result.summary())
        click.echo(f"\nReport: {readable(str(target / 'report.html'))}")
    return status


def _checked(folder: Path, status: int) -> int:
    """Return the status; that of a fault if R does not confirm a number."""
    from pycompare.reporting.evidence.cross_check import read_cross_check

    check = read_cross_check(folder)
    click.echo(f"Cross-check: {check.conclusion}", err=True)
    return status if check.passed else _FAULT


@contextmanager
def _answers(
    baseline: Path, candidate: Path | None, named: dict[str, str], roles: dict[str, Any]
) -> Iterator[tuple[Path, dict[str, str], dict[str, Any], dict[str, Any]]]:
    """Yield the path, the names of both models, the roles, and hashes of files."""
    for path in (baseline, candidate):
        if path is not None and not path.exists():
            raise click.UsageError(f"{path}: no such file or folder")
    if candidate is None:
        absent = [n for n in ("baseline", "candidate") if n not in named]
        if absent:
            raise click.UsageError(
                f"one file of both models: give --{absent[0]} NAME, or the file of the "
                "other model"
            )
        yield baseline, named, roles, {}
        return
    if named:
        raise click.UsageError(
            f"--{next(iter(named))} is for one file of both models; leave it out"
        )
    if "algorithm" in roles:
        raise click.UsageError(
            "--algorithm is for one file of both models; each file is one model"
        )
    hashes = [_hashes(path) for path in (baseline, candidate)]
    if len({tuple(sha256 for _, sha256 in of_file) for of_file in hashes}) == 1:
        raise InputError(
            f"{baseline} and {candidate} have the same content: name the answers of "
            "two models"
        )
    for path in (baseline, candidate):
        _require_answers(path)
    labels = _labels(baseline, candidate)
    files = {
        label: [{"path": name, "sha256": sha256} for name, sha256 in of_file]
        for label, of_file in zip(labels, hashes, strict=True)
    }
    with TemporaryDirectory(prefix="pycompare-gate-") as temporary:
        # Errors and the report name what is read by this name.
        folder = Path(temporary) / f"{labels[0]} and {labels[1]}"[:_LONGEST]
        for label, path in zip(labels, (baseline, candidate), strict=True):
            (folder / label).mkdir(parents=True)
            # Both have one name, so that only the first part of their paths differs.
            name = path.name if path.is_dir() else f"answers{''.join(path.suffixes)}"
            (folder / label / name).symlink_to(path.resolve())
        names = dict(zip(("baseline", "candidate"), labels, strict=True))
        yield folder, names, roles | {"algorithm": "path/1"}, files


def _labels(baseline: Path, candidate: Path) -> tuple[str, str]:
    """Return the names of both models: those of the files, or of their folders."""
    paths = [path.resolve() for path in (baseline, candidate)]
    stems = [readable(p.name if p.is_dir() else p.name.split(".")[0]) for p in paths]
    if stems[0] == stems[1]:
        stems = [readable(path.parent.name) for path in paths]
    if stems[0] == stems[1] or not all(stems):
        return "baseline", "candidate"
    return stems[0].lstrip("._") or "baseline", stems[1].lstrip("._") or "candidate"


def _require_answers(path: Path) -> None:
    """Reject a text file with a header and no answers."""
    if path.is_dir() or path.suffix not in (".csv", ".tsv", ".txt"):
        return
    with path.open("rb") as file:
        lines = [line for line in islice(file, _FIRST_LINES) if line.strip()]
    if len(lines) < 2 and path.stat().st_size < _FIRST_BYTES:
        raise InputError(f"{path} has no answers: name the file of the model's answers")


def _hashes(path: Path) -> list[tuple[str, str]]:
    """Return name and hash of a file, or of each file of a folder."""
    from pycompare.data.folder_files import files_below

    files = [*files_below(path, hidden="._")] if path.is_dir() else [path]
    return [
        (
            readable(file.relative_to(path.parent).as_posix()),
            hashlib.sha256(file.read_bytes()).hexdigest(),
        )
        for file in files
    ]


def _read(
    path: Path, metrics: dict[str, Any], roles: dict[str, Any], columns: Sequence[str]
) -> tuple[Any, dict[str, list[str]]]:
    """Return the answers, and the label of each item in each column of slices."""
    from pycompare.apps.cli.compare import reader_of
    from pycompare.designs.planned_gate import sliced

    read, is_table = reader_of(path, roles | {"metrics": metrics})
    if is_table:
        require_directions(metrics)
        if not metrics:
            raise click.UsageError(
                "name the answers and which direction is better: --metric "
                "accuracy:higher"
            )

    def read_with(column: str | None) -> Any:
        more = {} if column is None else {"group": column}
        return read(path, metrics=metrics, **roles, **more)

    return sliced(read_with, columns, is_table=is_table)
