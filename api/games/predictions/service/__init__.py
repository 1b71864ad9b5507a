"""The predictor: saving, scoring and reading predictions."""
