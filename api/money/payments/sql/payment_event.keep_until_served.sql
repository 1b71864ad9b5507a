CREATE OR REPLACE TRIGGER keep_until_served BEFORE DELETE ON payment_event
FOR EACH ROW WHEN (OLD.received_at > now() - {{payment_events_stay}})
EXECUTE FUNCTION keep_row('a report has not served yet');
