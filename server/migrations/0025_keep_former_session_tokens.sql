-- Requests under way while a session gets a new token.

alter table member_sessions
  add column former_token_hash bytea unique,
  add column former_until timestamptz,
  add constraint member_sessions_former check ((former_token_hash is null) = (former_until is null));
comment on column member_sessions.former_token_hash is 'the token before the password was entered again; it is accepted until former_until, without the rights of the confirmation';
