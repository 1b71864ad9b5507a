-- The content of a notification never changes; housekeeping and account deletion delete notifications.
GRANT SELECT, INSERT, UPDATE (read_at, mail_due_at, push_due_at), DELETE ON notification TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON notification_setting TO {{runtime_role}};
