CREATE OR REPLACE FUNCTION refuse_point_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the points ledger is append-only' USING ERRCODE = 'KF423';
END $$;
