-- Notes never change; those about a member are deleted with the account.
GRANT SELECT, INSERT, DELETE ON operator_note TO {{runtime_role}};
