"""The bank: importing files, single questions, search, and statistics of answers."""
