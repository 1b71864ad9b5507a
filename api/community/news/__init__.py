"""News: articles that the back office writes and members read.

Terms: *article*, *body* (its Markdown source), *html* (the rendered body), *slug* (its permanent
name in URLs), *out* (members can read it now).
"""
