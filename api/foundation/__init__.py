"""What every domain stands on; nothing here knows a term of the product."""
