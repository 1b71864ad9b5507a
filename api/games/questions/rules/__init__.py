"""Rules of the bank: file format, near duplicates, and statistics of answers."""
