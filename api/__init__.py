"""King of Fans: the server."""

import gc

# Loading makes a quarter of a million objects that stay. To look through them every few hundred, as
# the collector does, took a fifth of a start. A process that stays calls ``garbage.settle``.
gc.set_threshold(100_000, 10, 10)
