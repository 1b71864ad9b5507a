"""The garbage collector of a process that stays."""

import gc

# New objects before the collector looks at them, then how often it looks at the older ones, and at
# all. Sockets that come and go leave circles behind that are old by then: a hundred every twenty
# seconds make ten thousand objects in half a minute, so that all are looked at every six minutes.
# A thousand answers at once make a hundred thousand objects that die by themselves; looking through
# them every seven hundred took a tenth of the processor.
THRESHOLDS = (10_000, 3, 2)


def settle() -> None:
    """Leave alone what is loaded now, which lives as long as the process; look at the rest often.

    Left to the collector, every full collection walks all of it and stops every request for about
    a tenth of a second.
    """
    gc.collect()
    gc.freeze()
    # A full collection waits until a quarter as much is new as the last one left: measured by what
    # is frozen now, the first would not come for hours.
    gc.collect()
    gc.set_threshold(*THRESHOLDS)
