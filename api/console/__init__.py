"""Console: the operators' command line, ``python -m api.console``.

It uses the server's database, settings and role.
"""
