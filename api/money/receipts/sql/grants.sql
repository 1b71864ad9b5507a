GRANT SELECT, INSERT, UPDATE (buyer) ON receipt TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON receipt_counter TO {{runtime_role}};
