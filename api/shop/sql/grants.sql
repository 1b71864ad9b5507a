GRANT SELECT, INSERT, UPDATE, DELETE ON order_line, product, shop_order TO {{runtime_role}};
