"""What people and programs call: command line, comparisons, streams, experiments."""
