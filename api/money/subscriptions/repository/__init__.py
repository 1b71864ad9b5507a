"""SQL of plans and subscriptions."""
