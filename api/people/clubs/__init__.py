"""Clubs: the clubs that members belong to.

Terms: *club*, *category* (``cc_name``, null means Others), *crest* (drawn from the club's colours).
"""
