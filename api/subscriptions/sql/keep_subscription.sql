CREATE OR REPLACE FUNCTION keep_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR OLD.replaced_at IS NOT NULL
     OR to_jsonb(OLD) - 'replaced_at' <> to_jsonb(NEW) - 'replaced_at' THEN
    RAISE EXCEPTION 'a subscription is only ever replaced' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$;
