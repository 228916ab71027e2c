-- The people whose data it is. These tables stay on the coordinator; health tables refer to user_id without a foreign key.

create table users (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  environment text not null check (environment in ('live', 'sandbox')),
  reference_id text not null check (length(reference_id) between 1 and 255),
  status text not null default 'active' check (status in ('active', 'deleting')),
  score_status text not null check (score_status in ('calibrating', 'ready', 'stale')),
  profile jsonb not null default '{}',
  metadata jsonb not null default '{}',
  last_sync_at timestamptz,
  last_score_at timestamptz,
  created_at timestamptz not null
);

-- A reference is free again from the moment its user is deleted.
create unique index users_reference_in_use on users (account_id, environment, reference_id) where status = 'active';
create index users_newest_first on users (account_id, environment, created_at desc, id desc) where status = 'active';

-- The zone a person lived in from a moment on. One row a user today; a change replaces it.
create table user_zones (
  user_id uuid not null,
  valid_from timestamptz not null default '-infinity',
  zone text,
  primary key (user_id, valid_from)
);

-- Sources of a user's data: distributed by user_id, so it leads the key and there is no foreign key.
create table devices (
  user_id uuid not null,
  id uuid not null,
  provider text not null,
  status text not null check (status in ('pending', 'active', 'failed', 'expired', 'reauthorize')),
  created_at timestamptz not null default now(),
  connected_at timestamptz,
  last_sync_at timestamptz,
  primary key (user_id, id)
);

-- Single-use secrets for SDK initialization, five minutes long.
create table mobile_tokens (
  secret_hash bytea primary key,
  user_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed_at timestamptz
);
create index mobile_tokens_by_user on mobile_tokens (user_id);
create index mobile_tokens_by_expiry on mobile_tokens (expires_at);
