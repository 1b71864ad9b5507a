-- A funding in review succeeds when its case is accepted, so that members, the back office and
-- chargebacks all read its state from one record.
CREATE OR REPLACE FUNCTION settle_accepted_funding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE funding SET state = 'succeeded', review_reason = NULL
   WHERE reference = NEW.source AND state = 'review';
  RETURN NULL;
END $$;
