"""``pycompare power PLAN.toml``: the power of the analysis by that plan."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pycompare.apps.cli.fields import arguments_of
from pycompare.apps.cli.long_work import long_work
from pycompare.apps.cli.options import Grouped, Output, option, together
from pycompare.apps.cli.reports import called, reports_or_prints, show
from pycompare.base.metric import Metric
from pycompare.sizes.planned_power import planned_power as power_of


def _of_metrics(name: str, metavar: str, text: str) -> Any:
    """Return an option that holds for all metrics, or is given for each."""
    return option(
        "--" + name.replace("_", "-"),
        name,
        multiple=True,
        metavar=metavar,
        help=f"{text} Of several metrics one for all, or METRIC={metavar} for each.",
        group="Truth",
    )


_TRUTH = together(
    option(
        "--effect",
        "effects",
        multiple=True,
        metavar="NAME=X",
        help="Mean of an algorithm less that of the algorithms that are not named, in "
        "the metric's unit (of an error rate a negative one is better); with scale = "
        "'ratio' the ratio to it. Of several metrics METRIC:NAME=X. Repeatable.",
        group="Truth",
    ),
    _of_metrics(
        "correlation", "X", "Correlation of the scores of two algorithms over blocks."
    ),
    _of_metrics(
        "sd", "X", "Standard deviation of the scores of one algorithm over blocks."
    ),
    _of_metrics(
        "base", "X", "Share of right answers of the algorithms that are not named."
    ),
    _of_metrics(
        "answers", "KIND", "Over cases: right/wrong or graded, the kind of answers."
    ),
    _of_metrics(
        "fold_sd",
        "X",
        "Standard deviation of the scores of one algorithm over the folds of a data "
        "set: draws these folds, too.",
    ),
    *arguments_of(power_of, "Truth", "fold_correlation", "folds_per_dataset"),
    *arguments_of(power_of, "Truth", "per_cluster", "cluster_correlation"),
    *arguments_of(power_of, "Truth", "n_runs", "run_correlation"),
    *arguments_of(power_of, "Truth", "shared_run_correlation", "metric_correlation"),
    option(
        "--group-share",
        "group_shares",
        multiple=True,
        metavar="GROUP=X",
        help="Share of the blocks that a group has; n counts those of all groups. "
        "Repeatable.",
        group="Truth",
    ),
    option(
        "--group-effect",
        "group_effects",
        multiple=True,
        metavar="GROUP:NAME=X",
        help="Effect that a group has in place of --effect; of several metrics "
        "GROUP:METRIC:NAME=X. Repeatable.",
        group="Truth",
    ),
    *arguments_of(power_of, "Truth", "prevalence", "cases_per_block", "n_cases"),
    option(
        "--variance",
        "variances",
        multiple=True,
        metavar="NAME=X",
        help="Of readers: a variance of the ratings, for each of reader, "
        "modality_reader, case, modality_case, reader_case and error. Repeatable.",
        group="Truth",
    ),
    *arguments_of(power_of, "Truth", "n_algorithms"),
)
_STUDY = together(
    *arguments_of(power_of, "Study", "n"),
    *arguments_of(power_of, "Simulation", "trials", "seed"),
    long_work,
    reports_or_prints,
)


@click.command(
    cls=Grouped,
    example="pycompare power plan.toml --n 20 --n 30 --effect new=0.02 --sd 0.05 "
    "--correlation 0.8",
)
@click.argument("plan", metavar="PLAN.toml", type=click.Path(path_type=Path))
@_TRUTH
@_STUDY
def planned_power(plan: Path, output: Output, **given: Any) -> None:
    """Compute how often compare finds true differences, by the plan file PLAN.toml.

    Tables are simulated from the truth that is stated, and each is compared as the plan
    says. Nothing is guessed: missing parts of the assumed truth are asked for.
    """
    from pycompare.base.labels import printable
    from pycompare.base.parallel.progress import on_stderr
    from pycompare.designs.plans.plan_file import PlanFile
    from pycompare.reporting.planned_power_report import KIND
    from pycompare.reporting.report import report
    from pycompare.sizes.planned_power import planned_file

    if output.folder is not None:
        KIND.check_target(output.folder, output.overwrite)
    planned = planned_file(plan)
    metrics: Sequence[Metric] = ()
    if isinstance(planned, PlanFile) and not planned.roles.predictions:
        metrics = planned.metrics  # predictions have one truth, the AUC, for all
    power = power_of(
        planned,
        **_truth(given, tuple(metric.name for metric in metrics)),
        progress=on_stderr("power"),
    )
    if output.folder is not None:
        report(power, output.folder, **called(), **output.options)
    if output.as_json:
        click.echo(json.dumps(power.to_dict() | {"sentences": power.sentences()}))
    elif output.folder is not None:
        show(printable(" ".join(power.sentences())), output)
    else:
        for line in power.summary().splitlines():
            click.echo(printable(line))


def _truth(given: dict[str, Any], metrics: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of ``planned_power``."""
    of = metrics if len(metrics) > 1 else ()
    shares = _numbers(given.pop("group_shares"), "--group-share", "GROUP=X")
    groups = tuple(shares)
    effects = _numbers(given.pop("effects"), "--effect", "NAME=X", of)
    own = _numbers(
        given.pop("group_effects"), "--group-effect", "GROUP:NAME=X", groups, of
    )
    variances = _numbers(given.pop("variances"), "--variance", "NAME=X")
    read = {
        "effects": effects,
        "group_shares": shares,
        "group_effects": own,
        "variances": variances,
    }
    for name in _BY_METRIC:
        read[name] = _by_metric(given.pop(name), name)
    return given | {
        name: value
        for name, value in read.items()
        if name == "effects" or value not in (None, {})
    }


_BY_METRIC = {
    "correlation": float, "sd": float, "base": float, "answers": str, "fold_sd": float,
}  # fmt: skip
"""Options that hold for all metrics or are given for each, and their type."""


def _by_metric(words: tuple[str, ...], name: str) -> Any:
    """Return one value for all metrics, or one by metric; None if there is none."""
    read, called = _BY_METRIC[name], "--" + name.replace("_", "-")
    by_metric: dict[str, Any] = {}
    for word in words:
        metric, _, text = word.rpartition("=")
        try:
            value = read(text)
        except ValueError:
            raise click.UsageError(
                f"{called} {word!r}: write a number, or METRIC=X for each metric"
            ) from None
        if metric in by_metric:
            of = f" for {metric}" if metric else ""
            raise click.UsageError(f"{called} is given twice{of}: give it once")
        by_metric[metric] = value
    if "" in by_metric and len(by_metric) > 1:
        raise click.UsageError(
            f"{called} is given for all metrics and for one: give one for each"
        )
    return by_metric[""] if "" in by_metric else by_metric or None


def _numbers(
    words: tuple[str, ...], called: str, form: str, *levels: tuple[str, ...]
) -> dict[str, Any]:
    """Return numbers by name; below the names of each level that ``levels`` lists."""
    wanted = [names for names in levels if names]
    numbers: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.rpartition("=")
        try:
            value = float(text)
        except ValueError:
            equals = ""
        if not (equals and name):
            raise click.UsageError(
                f"{called} {word!r}: write {form}, such as {called} "
                + ("new=0.02" if form == "NAME=X" else form.replace("X", "0.5"))
            )
        place = numbers
        for names in wanted:
            first = _first(name, names)
            if first is None:
                raise click.UsageError(
                    f"{called} {word!r}: begin with one of {', '.join(names)}, such as "
                    f"{called} {names[0]}:{name}={text}"
                )
            place = place.setdefault(first, {})
            name = name.removeprefix(f"{first}:")
        if name in place:
            raise click.UsageError(f"{called} {name} is given twice: give it once")
        place[name] = value
    return numbers


def _first(name: str, names: tuple[str, ...]) -> str | None:
    """Return the longest of the names that a text begins with, before a colon."""
    fitting = [n for n in names if name.startswith(f"{n}:")]
    return max(fitting, key=len, default=None)
