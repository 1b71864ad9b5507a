"""Settings that operators change at runtime, as domains read them."""
