"""SQL of the predictor."""
