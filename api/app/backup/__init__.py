"""Backups: taken, tested by restoring them, pruned; ``python -m api.app.backup`` runs every night.

Words: a *backup* is a folder with a dump of the database, a list of the media, the media and a
*manifest* with the digests of all files; a *proof* is a restore test beside the live database.
"""
