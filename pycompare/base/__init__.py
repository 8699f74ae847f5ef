"""What every room shares: errors, types, labels, arguments, tables, R."""
