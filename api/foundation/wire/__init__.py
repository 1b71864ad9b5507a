"""What crosses the wire: schemas, the envelope, forms, results of writes. No web framework."""
