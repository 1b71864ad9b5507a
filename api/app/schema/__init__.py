"""What lives in the database beside its tables: functions, triggers and grants, a file for each.

Words: a *source* is one file of ``api/**/sql``, an *object* what it makes in the database. A
function's file is named after it, a trigger's ``<table>.<trigger>.sql``, and ``grants.sql`` says
what the running role may do with the tables of one domain. ``{{name}}`` stands for a constant of
Python (``constants``). ``apply`` ends every migration, ``compare`` says in sentences where a
database differs from its sources. What belongs to no domain is in ``sql/`` here.
"""
