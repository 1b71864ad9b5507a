"""Public pages: what visitors without an account see, and how shared links look elsewhere.

Terms: a *card* is the picture of a link preview; a *head* is what a page's head says to crawlers.
"""
