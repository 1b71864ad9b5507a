"""Ranking: points, ranks and boards.

Words: *points* (earned by answering), *badge* (the rank's slug), *leader board* (own club).
"""
