CREATE OR REPLACE TRIGGER keep_subscription BEFORE UPDATE OR DELETE ON subscription
FOR EACH ROW EXECUTE FUNCTION keep_row(
  'a subscription is only ever replaced', 'replaced_at', 'credited_kobo', 'renews',
  'renewal_tries', 'wanted_kobo', 'reminded_at', 'warned_at', 'ended_at');
