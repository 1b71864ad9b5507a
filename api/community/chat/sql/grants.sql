-- Messages are evidence for as long as they are stored; moderators' actions are stored indefinitely.
GRANT SELECT, INSERT, UPDATE (content, told_at, hidden_at), DELETE
  ON chat_message TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE ON chat_room TO {{runtime_role}};
GRANT SELECT, INSERT ON chat_moderation TO {{runtime_role}};
GRANT SELECT, INSERT, UPDATE, DELETE
  ON chat_ban, chat_evidence, chat_membership, chat_mute, chat_online, chat_presence, chat_reaction,
     chat_report, chat_worker
  TO {{runtime_role}};
