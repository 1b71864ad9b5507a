"""The predictor: members predict the scores of matches, and earn points when they are right.

Terms: *prediction* (a member's score of a match), *decision* (the effect of a match's change on its
predictions), *settling* (scoring them by the decisions), *crowd* (the counts of all predictions).
"""
