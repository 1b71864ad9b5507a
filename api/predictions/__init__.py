"""The predictor: members say how matches will end, and win points when they are right.

Words: *prediction* (a member's score of a match), *decision* (what a change of a match means for
its predictions), *settling* (judging them by the decisions), *crowd* (what all have predicted).
"""
