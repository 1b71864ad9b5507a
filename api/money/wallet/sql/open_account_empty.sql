CREATE OR REPLACE FUNCTION open_account_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.balance_kobo := CASE NEW.type WHEN 'wallet' THEN 0 ELSE NEW.balance_kobo END;
  NEW.entries := 0;
  RETURN NEW;
END $$;
