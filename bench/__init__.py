"""Benchmarks: our servers compared with peers in one run, on loopback, in interleaved slices."""
