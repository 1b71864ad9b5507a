-- What a provider reported stays, except for its bytes: they name a person who may leave.
CREATE OR REPLACE FUNCTION keep_payment_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.raw <> ''::bytea OR to_jsonb(OLD) - 'raw' <> to_jsonb(NEW) - 'raw' THEN
    RAISE EXCEPTION 'of a report only the bytes are ever emptied' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$;
