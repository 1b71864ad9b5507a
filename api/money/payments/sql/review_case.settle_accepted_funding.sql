CREATE OR REPLACE TRIGGER settle_accepted_funding AFTER UPDATE ON review_case
FOR EACH ROW WHEN (OLD.state = 'open' AND NEW.state = 'accepted')
EXECUTE FUNCTION settle_accepted_funding();
