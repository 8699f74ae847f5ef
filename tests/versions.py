"""Run the tests that need no R on other Pythons, with the lowest declared libraries.

``python -m tests.versions 3.11 3.12`` (``make versions``) makes an environment for each
Python with uv: the newest libraries that the registry has, and on the lowest declared
Python also their lowest declared versions (``requirements/lowest.txt``), which have no
files for newer ones. A Python that this machine lacks is named, as are libraries that
cannot be installed, and the status is then 1, as after a failed test. Nothing downloads
an interpreter.

Libraries of other ages than ours deprecate what the lowest versions call, so that
deprecations count as failures only in `make test`, where the versions are pinned.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOWEST = ROOT / "requirements" / "lowest.txt"
WITHOUT_R = "not r and not browser and not slow"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", WITHOUT_R)
QUIET = ("-W", "ignore::DeprecationWarning", "-W", "ignore::PendingDeprecationWarning")


def interpreter(version: str) -> Path | None:
    """Return a Python of this machine: on the path, or kept by pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = [Path(folder) / f"python{version}" for folder in os.get_exec_path()]
    named += sorted(kept.glob(f"{version}.*/bin/python{version}"))
    return next((path for path in named if runs(path, version)), None)


def runs(python: Path, version: str) -> bool:
    """Return whether a program is this Python: pyenv has programs that only fail."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        ended = subprocess.run([python, "-c", code], capture_output=True, text=True)
    except OSError:
        return False
    return ended.returncode == 0 and ended.stdout.strip() == version


def environments(versions: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield each Python, and whether its libraries are the lowest or the newest."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lowest = declared["project"]["requires-python"].removeprefix(">=")
    for version in versions:
        if version == lowest:
            yield version, True
        yield version, False


def prepared(python: Path, home: Path, lowest: bool) -> Path:
    """Return the Python of a new environment with the libraries of the tests."""
    uv = (sys.executable, "-m", "uv")
    made = home / "bin" / "python"
    if not made.is_file():
        subprocess.run([*uv, "venv", "-q", "--python", python, home], check=True)
    wanted = (
        ("sync", "--require-hashes", LOWEST)
        if lowest
        else ("install", "--upgrade", f"{ROOT}[tests]")
    )
    subprocess.run([*uv, "pip", *wanted[:1], "-q", "--python", made, *wanted[1:]],
                   check=True, cwd=ROOT)  # fmt: skip
    return made


def main(versions: Sequence[str], tests: Sequence[str]) -> int:
    """Run the tests on each Python; return 1 if one failed or is not here."""
    failed = []
    for version, lowest in environments(versions):
        name = f"Python {version}, {'lowest' if lowest else 'newest'} libraries"
        python = interpreter(version)
        if python is None:
            failed.append(f"{name}: this machine has no python{version}")
            continue
        print(name, flush=True)
        kind = "lowest" if lowest else "newest"
        home = ROOT / ".venv" / f"{version}-{kind}"
        try:
            command = [prepared(python, home, lowest), *PYTEST, *QUIET, *tests]
        except subprocess.CalledProcessError:
            failed.append(f"{name}: the libraries cannot be installed (see above)")
            continue
        own = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        if subprocess.run(command, cwd=ROOT, env=own).returncode:
            failed.append(f"{name}: tests failed")
    print(*failed or ["all passed"], sep="\n")
    return int(bool(failed))


if __name__ == "__main__":
    given = sys.argv[1:]
    numbers = [word for word in given if word.replace(".", "").isdigit()]
    if not numbers:
        sys.exit("usage: python -m tests.versions VERSION... [TESTS...]")
    sys.exit(
        main(numbers, [word for word in given if word not in numbers] or ["tests"])
    )
