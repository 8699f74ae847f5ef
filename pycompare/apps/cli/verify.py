"""``pycompare verify``: whether a report is as it was written."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

import click

from pycompare.apps.cli.options import Grouped, option


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
@option(
    "--trail",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Trail of the plan, PLAN.trail.jsonl: must begin with the report's entries.",
    group="Checks",
)
@option(
    "--timestamp",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Time stamp by RFC 3161 of manifest.json, or of the trail as it was then.",
    group="Checks",
)
@option(
    "--authority",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Certificate of the authority of the time stamp, PEM.",
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
    trail: Path | None,
    timestamp: Path | None,
    authority: Path | None,
    as_json: bool,
) -> None:
    """Check every file of the report DIR against its manifest.

    DIR may also be the trail of a plan, PLAN.trail.jsonl, which is checked separately,
    with the plan and the data files beside it.

    Each change is named: the file, and the cell or value in it. The exit status is 1 if
    a file was changed or is not reproduced.
    """
    if folder.is_file():
        others = (recompute, signers, signer, key, certificate, trail)
        if any(others):
            raise click.UsageError(
                f"{folder} is a file, and only a trail is checked by itself: give no "
                "other option than --timestamp, --authority and --json, or the folder "
                "of a report"
            )
        _trail(folder, as_json, timestamp, authority)
        return
    from pycompare.reporting.verify import verify as check

    verification = check(
        folder,
        recompute=recompute,
        signers=signers,
        signer=signer,
        key=key,
        certificate=certificate,
        trail=trail,
        timestamp=timestamp,
        authority=authority,
    )
    click.echo(
        json.dumps(verification.to_dict()) if as_json else verification.summary()
    )
    sys.exit(0 if verification.passed else 1)


def _trail(
    path: Path, as_json: bool, timestamp: Path | None, authority: Path | None
) -> None:
    """Print the entries of a trail, and what is wrong with it."""
    from pycompare.base.labels import printable
    from pycompare.designs.plans.beside_trail import changed_beside
    from pycompare.designs.plans.trail import read_trail
    from pycompare.reporting.evidence.timestamp import check_timestamp, of_trail

    trail = read_trail(path)
    changed = [] if trail.problems else list(changed_beside(path, trail))
    lines = [entry.line for entry in trail.entries]
    stamp = check_timestamp(of_trail(lines), timestamp, authority)
    stamped = stamp is None or stamp.good
    if as_json:
        entries = [dataclasses.asdict(entry) for entry in trail.entries]
        told = {"entries": entries, "problems": list(trail.problems)}
        told["changed"] = [{"file": name, "since": since} for name, since in changed]
        held = None if stamp is None else dataclasses.asdict(stamp)
        click.echo(json.dumps(told | {"head": trail.head, "timestamp": held}))
    else:
        for at, entry in enumerate(trail.entries, start=1):
            who = f" by {entry.by}" if entry.by else ""
            click.echo(printable(f"{at}. {entry.when}: {entry.event}{who}"))
        for problem in trail.problems:
            click.echo(f"  {problem}")
        if not trail.problems:
            click.echo("The trail is whole.")
        for name, since in changed:
            click.echo(printable(f"  {name} was changed {since}"))
        click.echo(f"SHA-256 of the last entry: {trail.head}")
        if stamp is not None:
            click.echo(f"{'' if stamp.good else 'No valid time stamp: '}{stamp}")
    sys.exit(1 if trail.problems or changed or not stamped else 0)
