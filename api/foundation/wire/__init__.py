"""The wire format: schemas, the envelope, forms, results of writes; framework-free."""
