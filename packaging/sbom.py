"""Write the bill of materials of pinned requirements, as CycloneDX 1.6 in JSON.

``python packaging/sbom.py requirements/report.txt bom.cdx.json``: one component for
each pin, with the SHA-256 of every file that pip accepts for it, its condition (marker)
and what asks for it. The same pins give the same bytes: the file has no date, and its
serial number follows from its content.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_PIN = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?==([\w.+!]+)(?: ; (.*?))? \\")
_HASH = re.compile(r" +--hash=sha256:([0-9a-f]{64})(?: \\)?")
_NO_USER = re.compile(r" +#(?: via)?(?: +-c .*)?|")
_USER = re.compile(r" +#(?: via)? +(?:-r )?([\w./-]+)(?: \(.*\))?")


@dataclass(frozen=True)
class Pin:
    """One version of a library, its files' hashes, and which libraries ask for it."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    users: tuple[str, ...]

    @property
    def reference(self) -> str:
        """Return the package URL, which names a package and no place."""
        return f"pkg:pypi/{self.name}@{self.version}"


def read_pins(text: str) -> list[Pin]:
    """Return the pins of a file that ``uv pip compile --generate-hashes`` wrote.

    Raises
    ------
    ValueError
        If a line is none of its lines.
    """
    pins: list[Pin] = []
    for number, line in enumerate(text.splitlines(), 1):
        if pin := _PIN.fullmatch(line):
            name, version, marker = pin.groups()
            pins.append(Pin(name, version, marker or "", (), ()))
        elif pins and (checksum := _HASH.fullmatch(line)):
            pins[-1] = _with(pins[-1], hashes=checksum[1])
        elif _NO_USER.fullmatch(line):
            continue
        elif pins and (user := _USER.fullmatch(line)):
            pins[-1] = _with(pins[-1], users=user[1])
        else:
            raise ValueError(f"line {number} is no pin, hash or comment: {line!r}")
    return pins


def _with(pin: Pin, hashes: str = "", users: str = "") -> Pin:
    """Return a pin with one more hash or user."""
    return Pin(
        pin.name,
        pin.version,
        pin.marker,
        (*pin.hashes, *([hashes] if hashes else [])),
        (*pin.users, *([users] if users else [])),
    )


def bill(pins: list[Pin], project: dict[str, Any]) -> dict[str, Any]:
    """Return the bill of a project, as its pyproject.toml declares it, and its pins."""
    name, version = project["name"], project["version"]
    own = f"pkg:pypi/{name}@{version}"
    # A name has several versions where Pythons need different ones.
    versions: dict[str, list[str]] = {name: [own]}
    for pin in pins:
        versions.setdefault(pin.name, []).append(pin.reference)
    needs: dict[str, list[str]] = {own: [], **{pin.reference: [] for pin in pins}}
    for pin in pins:
        for user in pin.users:
            # The build asks for what a file of requirements names.
            for reference in [own] if user.endswith(".in") else versions[user]:
                needs[reference].append(pin.reference)
    content: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": name,
                "version": version,
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": own,
            }
        },
        "components": [_component(pin) for pin in pins],
        "dependencies": [
            {"ref": reference, "dependsOn": sorted(set(wanted))}
            for reference, wanted in needs.items()
        ],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(content))
    return {"serialNumber": f"urn:uuid:{serial}", **content}


def _component(pin: Pin) -> dict[str, Any]:
    """Return one library of the bill."""
    return {
        "type": "library",
        "bom-ref": pin.reference,
        "name": pin.name,
        "version": pin.version,
        "purl": pin.reference,
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in pin.hashes],
        "properties": list(_properties(pin)),
    }


def _properties(pin: Pin) -> Iterator[dict[str, str]]:
    """Yield what CycloneDX has no field for."""
    yield {"name": "pycompare:hashes", "value": "one per file of this version"}
    if pin.marker:
        yield {"name": "pycompare:marker", "value": pin.marker}


def main(arguments: list[str]) -> None:
    """Write the bill of a file of requirements."""
    if len(arguments) != 2:
        sys.exit("usage: python packaging/sbom.py REQUIREMENTS OUT")
    pinned, target = map(Path, arguments)
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    pins = read_pins(pinned.read_text(encoding="utf-8"))
    content = bill(pins, tomllib.loads(declared)["project"])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(pins)} libraries")


if __name__ == "__main__":
    main(sys.argv[1:])
