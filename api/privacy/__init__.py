"""Privacy: what is held of a member, handed out whole or taken away.

Words: *export* (everything we hold, as data), *erase* (the person goes, the books stay), *policy*
(what erasing does to a table's rows).
"""
