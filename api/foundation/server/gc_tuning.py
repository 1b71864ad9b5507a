"""Garbage collector settings of long-running processes."""

import gc

# Thresholds: new objects per collection, young collections per middle one, and those per full one.
# Disconnecting sockets leave reference cycles that have become old: a hundred every twenty seconds
# make ten thousand objects in half a minute, so a full collection runs every six minutes. A
# thousand concurrent responses make a hundred thousand objects without cycles; scanning every seven
# hundred of them took a tenth of the CPU.
THRESHOLDS = (10_000, 3, 2)


def freeze() -> None:
    """Exclude loaded objects from collection, since they live as long as the process.

    Otherwise every full collection would scan them and stop all requests for a tenth of a second.
    """
    gc.collect()
    gc.freeze()
    # A full collection waits until new objects exceed a quarter of those that survived the last
    # one; measured by the frozen ones, the first would not run for hours.
    gc.collect()
    gc.set_threshold(*THRESHOLDS)
