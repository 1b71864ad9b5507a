"""Rules of the daily quest: sets, attempts, and the schedule."""
