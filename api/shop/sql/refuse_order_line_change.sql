CREATE OR REPLACE FUNCTION refuse_order_line_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an order line never changes' USING ERRCODE = 'KF423';
END $$;
