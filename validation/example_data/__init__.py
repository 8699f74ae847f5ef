"""What the simulated example data of pycompare are made by."""
