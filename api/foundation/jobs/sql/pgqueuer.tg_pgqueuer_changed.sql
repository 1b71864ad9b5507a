-- Copied from pgqueuer: one notification per statement, which wakes the workers.
CREATE OR REPLACE TRIGGER tg_pgqueuer_changed
AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON pgqueuer
EXECUTE FUNCTION fn_pgqueuer_changed();
