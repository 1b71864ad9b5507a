"""Moments: members' short videos, each with a thumbnail.

Words: *moment* (the post), *thumbnail* (its still picture), *video*.
"""
