-- A funding that was set aside has succeeded once a person accepts its case: whoever asks about it
-- later, a member, the back office or a chargeback, asks one record.
CREATE OR REPLACE FUNCTION settle_accepted_funding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE funding SET state = 'succeeded', review_reason = NULL
   WHERE reference = NEW.source AND state = 'review';
  RETURN NULL;
END $$;
