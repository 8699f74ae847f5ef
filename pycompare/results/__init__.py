"""What results have in common: schema, families of tests, guarantees, estimands."""
