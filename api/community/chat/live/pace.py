"""Intervals of the chat's background jobs."""

ALIVE_SECONDS = 15.0  # how often an idle job reports that it is alive
