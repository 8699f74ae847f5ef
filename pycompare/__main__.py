"""``python -m pycompare``."""

from pycompare.cli.app import main

main()
