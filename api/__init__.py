"""King of Fans: the server."""

import gc

# Imports create a quarter of a million permanent objects. Scanning them every few hundred, as the
# collector does by default, took a fifth of a start. Long-running processes call
# ``gc_tuning.freeze``.
gc.set_threshold(100_000, 10, 10)
