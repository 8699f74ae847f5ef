"""ROC curves: facts, tables and figures."""
