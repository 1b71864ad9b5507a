"""Members as the back office knows them: looked up, read on one page, kept out, moved.

Everything is each domain's own; here it comes together, under the audit.
"""
