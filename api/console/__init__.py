"""Console: the operators' command line, ``python -m api.console``.

It works on the database that the server would use, with the server's settings and role.
"""
