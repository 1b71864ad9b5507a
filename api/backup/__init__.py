"""Backups: taken, proven by being restored, pruned. ``python -m api.backup`` does so every night.

Words: a *backup* is a folder with a dump of the database, a list of the media, the media and a
*manifest* that has the digests of all of it; a *proof* restores one beside the live database.
"""
