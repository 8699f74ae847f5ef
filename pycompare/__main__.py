"""``python -m pycompare``."""

from pycompare.apps.cli.app import main

main()
