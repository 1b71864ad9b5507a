-- Notifications are never changed; housekeeping and account deletion remove them.
GRANT SELECT, INSERT, UPDATE (read_at, mail_due_at, push_due_at), DELETE ON notification TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON notification_setting TO {{runtime_role}};
