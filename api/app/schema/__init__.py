"""The database's functions, triggers and grants, each defined in a file.

Words: a *source* is one file of ``api/**/sql``, an *object* what it creates in the database. A
function's file is named after it, a trigger's is ``<table>.<trigger>.sql``, and ``grants.sql``
contains the running role's rights to the tables of one domain. ``{{name}}`` is replaced by a Python
constant (``constants``). ``apply`` runs at the end of every migration; ``compare`` reports in
sentences where a database differs from its sources. Sources of no domain are in ``sql/`` here.
"""
