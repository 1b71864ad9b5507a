"""News: articles that the back office writes and members read.

Words: *article*, *body* (Markdown, as it was written), *html* (what members are shown of it),
*slug* (its lasting name in addresses), *out* (members can read it now).
"""
