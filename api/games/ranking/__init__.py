"""Ranking: seasons, points, ranks and boards.

Terms: *season* (the dates and rules of the Battle Zone; points add up within one), *point entry*
(one award, never changed), *standing* (a member's totals in a season), *rank* and *badge* (reached
by the battle points of the season), *board* (the leaders of a day, week, month or season, of one
club or of all), *fold* (to add pending awards to the boards).
"""
