CREATE OR REPLACE FUNCTION open_account_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type = 'wallet' THEN
    NEW.balance_kobo := 0;
  END IF;
  NEW.entries := 0;
  RETURN NEW;
END $$;
