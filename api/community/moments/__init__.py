"""Moments: members' short videos, each with a thumbnail.

Terms: *moment* (the post), *thumbnail* (its still picture), *video*.
"""
