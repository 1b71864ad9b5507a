GRANT SELECT, INSERT, UPDATE, DELETE
  ON credential, known_browser, known_origin, mailed_code, session, sign_in_guard, sign_up_attempt,
     sms_message
  TO {{runtime_role}};
