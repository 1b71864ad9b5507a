CREATE OR REPLACE TRIGGER keep_asked BEFORE UPDATE ON refund_case
FOR EACH ROW EXECUTE FUNCTION keep_row(
  'a refund is only ever decided', 'state', 'decided_by', 'decided_at', 'refusal');
