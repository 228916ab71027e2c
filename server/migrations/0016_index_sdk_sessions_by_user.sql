-- Revoked sessions of a user are found as well: they are bounded in number, and erased with the user.
create index sdk_sessions_by_user on sdk_sessions (user_id, created_at);
