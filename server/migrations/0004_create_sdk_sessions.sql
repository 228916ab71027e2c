-- Sessions of the mobile SDK. Access and refresh tokens are derived from the session id and a version, so that none is
-- stored, not even as a hash.

create table mobile_tokens (
  secret_hash bytea primary key,
  user_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  created_by_key uuid
);
comment on table mobile_tokens is 'Single-use tokens that initialize the SDK, valid for five minutes. Written by the API call that issues one.';
comment on column mobile_tokens.created_by_key is 'the API key; revoking it can end the token';
create index mobile_tokens_by_user on mobile_tokens (user_id);
create index mobile_tokens_by_expiry on mobile_tokens (expires_at);
create index mobile_tokens_by_key on mobile_tokens (created_by_key) where consumed_at is null;

create table sdk_sessions (
  id uuid primary key,
  user_id uuid not null,
  installation_id text not null check (length(installation_id) between 1 and 128),
  platform text check (platform in ('ios', 'android')),
  sources text[] not null,
  scopes text[] not null,
  app_version text,
  status text not null default 'pending' check (status in ('pending', 'active', 'revoked')),
  created_at timestamptz not null,
  activated_at timestamptz,
  last_upload_at timestamptz,
  client_token_version integer not null default 1,
  client_expires_at timestamptz not null,
  client_consumed_at timestamptz,
  credential_version integer not null default 0,
  credential_used_at timestamptz,
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  previous_access_expires_at timestamptz,
  created_by_key uuid
);
comment on table sdk_sessions is 'Installations of the SDK that may upload for a user. Written when a session is created, exchanged, refreshed or revoked.';
comment on column sdk_sessions.client_token_version is 'the client token in force is derived from it';
comment on column sdk_sessions.credential_version is 'the access and refresh tokens in force are derived from it; the version before works until these are first used';
comment on column sdk_sessions.credential_used_at is 'the first use of the credentials in force';
comment on column sdk_sessions.created_by_key is 'the API key; revoking it can end the session';
-- One session per installation that is not revoked.
create unique index sdk_sessions_of_installation on sdk_sessions (user_id, installation_id) where status <> 'revoked';
create index sdk_sessions_by_user on sdk_sessions (user_id, created_at);
create index sdk_sessions_by_key on sdk_sessions (created_by_key) where status <> 'revoked';

create table sdk_session_requests (
  user_id uuid not null,
  idempotency_key uuid not null,
  body_hash bytea not null,
  session_id uuid not null,
  client_token_version integer not null,
  created_at timestamptz not null,
  primary key (user_id, idempotency_key)
);
comment on table sdk_session_requests is 'Requests with an Idempotency-Key for an SDK session, kept for 24 hours so that a retry gets the same response. Written with the session.';
create index sdk_session_requests_by_age on sdk_session_requests (created_at);
