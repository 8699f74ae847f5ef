"""A disk that is full from a given write on, for one process and its workers.

A small library, compiled with gcc and loaded before libc, counts the writes to files
below a folder and refuses them from a number on, as a full disk does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .processes import ROOT

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static long done = 0;

static int full(int file) {
    const char *below = getenv("FULL_BELOW"), *after = getenv("FULL_AFTER");
    if (!below || !after) return 0;
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t size = readlink(name, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    if (strncmp(path, below, strlen(below))) return 0;
    if (__sync_add_and_fetch(&done, 1) <= atol(after)) return 0;
    errno = ENOSPC;
    return 1;
}

#define WRAP(name, parameters, arguments) \
    ssize_t name parameters { \
        static ssize_t (*real) parameters; \
        if (!real) real = (ssize_t (*) parameters) dlsym(RTLD_NEXT, #name); \
        return full(file) ? -1 : real arguments; \
    }

WRAP(write, (int file, const void *from, size_t n), (file, from, n))
WRAP(writev, (int file, const struct iovec *from, int n), (file, from, n))
WRAP(pwrite64, (int file, const void *from, size_t n, off64_t at), (file, from, n, at))
WRAP(sendfile, (int file, int from, off_t *at, size_t n), (file, from, at, n))
WRAP(sendfile64, (int file, int from, off64_t *at, size_t n), (file, from, at, n))
"""
FORKED = """
import os, sys
folder, arguments = sys.argv[1], sys.argv[2:]
if arguments[0] == "-m":
    import pycompare.apps.cli, pycompare.reporting.report, pycompare.plotting.style
    from pycompare.apps.cli.app import main

def once():
    if arguments[0] == "-c":
        exec(compile(arguments[1], "<experiment>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = ["pycompare", *arguments[2:]]
        main()

for line in sys.stdin:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.environ["FULL_AFTER"] = line.strip()
        os.environ["FULL_BELOW"] = folder
        aside = os.open(os.path.join(os.environ["ASIDE"], "said"),
                        os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDWR)
        for end, to in ((0, nothing), (1, nothing), (2, aside)):
            os.dup2(to, end)
        sys.stdin = open(os.devnull)
        once()
        sys.exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(status, flush=True)
"""
"""Loads pycompare once, and runs the command in a fork for each line of its input."""


def each_write(
    arguments: Sequence[str], folder: Path, variables: Mapping[str, str]
) -> Iterator[tuple[int, str]]:
    """Run a program with no write, one write, two writes below a folder, without end.

    Parameters
    ----------
    arguments : sequence of str
        After ``python``: ``-m pycompare.apps.cli ...`` or ``-c code``.
    folder : Path
        Where it runs.
    variables : mapping
        Of its environment.

    Yields
    ------
    status : int
    said : str
        On stderr.
    """
    with tempfile.TemporaryDirectory() as at:
        aside = Path(at)
        library = _library(aside)
        environment = {
            **os.environ,
            **variables,
            "PYTHONPATH": str(ROOT),
            "LD_PRELOAD": str(library),
            "ASIDE": at,
        }
        server = subprocess.Popen(
            [sys.executable, "-c", FORKED, str(folder.resolve()), *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdin is not None and server.stdout is not None
        try:
            number = 0
            while True:
                server.stdin.write(f"{number}\n")
                server.stdin.flush()
                status = int(server.stdout.readline())
                said = (aside / "said").read_text(encoding="utf-8", errors="replace")
                yield status, said
                number += 1
        finally:
            server.kill()
            server.communicate()


def _library(folder: Path) -> Path:
    """Compile the library."""
    source, library = folder / "full.c", folder / "full.so"
    source.write_text(SOURCE)
    options = ["-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
    subprocess.run(["gcc", *options], check=True)
    return library
