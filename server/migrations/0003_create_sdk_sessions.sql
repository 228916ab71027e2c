-- Installations of the mobile SDK. Tokens are derived from id and turn, so none is stored, not even as a hash.

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
  -- the client token in force
  client_turn integer not null default 1,
  client_expires_at timestamptz not null,
  client_consumed_at timestamptz,
  -- the credentials in force; the turn before them works until they are first used
  turn integer not null default 0,
  turn_used_at timestamptz,
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  previous_access_expires_at timestamptz
);

-- One living session per installation.
create unique index sdk_sessions_of_installation on sdk_sessions (user_id, installation_id) where status <> 'revoked';

-- What was asked under an Idempotency-Key, for 24 hours.
create table sdk_session_requests (
  user_id uuid not null,
  idempotency_key uuid not null,
  body_hash bytea not null,
  session_id uuid not null,
  client_turn integer not null,
  created_at timestamptz not null,
  primary key (user_id, idempotency_key)
);
create index sdk_session_requests_by_age on sdk_session_requests (created_at);
