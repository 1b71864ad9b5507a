"""Moments: members' short videos, each with its poster.

Words: *moment* (the post), *thumbnail* (its poster, a picture), *video*.
"""
