"""``python -m pycompare.cli``."""

from pycompare.cli.app import main

main()
