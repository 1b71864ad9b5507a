"""Public: what visitors without an account can read, as JSON and as pages with link previews.

Terms: a *page* is HTML rendered by the server; a *head* is the part of it that messengers read; a
*claim* is the proof of a right answer, which a sign-up turns into points.
"""
