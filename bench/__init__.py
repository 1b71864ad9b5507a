"""Benchmarks: our subjects beside peers in one run, on loopback, in interleaved slices."""
