GRANT SELECT, INSERT, UPDATE, DELETE ON product TO {{runtime_role}};
GRANT SELECT, INSERT ON former_picture TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON product_variant, delivery_fee TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_address TO {{runtime_role}};
-- Orders are never deleted: they end, and their addresses are erased.
GRANT SELECT, INSERT, UPDATE (status, billing, reminded_at, is_paid, transfer_id, pay_by)
  ON shop_order TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (note) ON order_event TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (refunded_quantity) ON order_line TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (credited_kobo) ON bank_receipt TO {{runtime_role}};
-- Bank lines never change, except that each is matched to a transfer once.
GRANT SELECT, INSERT ON bank_statement TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (receipt_id, matched_at, matched_by, reason)
  ON bank_line TO {{runtime_role}};
GRANT SELECT, INSERT, DELETE, UPDATE (state, reason) ON transfer_proof TO {{runtime_role}};
