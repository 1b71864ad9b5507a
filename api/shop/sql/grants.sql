GRANT SELECT, INSERT, UPDATE, DELETE ON product TO {{runtime_role}};
-- An order is for ever: it ends, and forgets who it was sent to.
GRANT SELECT, INSERT, UPDATE (status, billing, reminded_at) ON shop_order TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE (note) ON order_event TO {{runtime_role}};
GRANT SELECT, INSERT ON order_line TO {{runtime_role}};
