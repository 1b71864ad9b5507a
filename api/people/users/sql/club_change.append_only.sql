CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON club_change
FOR EACH STATEMENT EXECUTE FUNCTION keep_row('whose fan a member was is never changed');
