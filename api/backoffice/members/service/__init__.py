"""Members at the back office: search, pages, suspension and moves."""
