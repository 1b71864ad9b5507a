-- Audit entries are written once.
GRANT SELECT, INSERT ON audit_entry TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON approval, office_setting, operator TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_session, known_operator_network TO {{runtime_role}};
