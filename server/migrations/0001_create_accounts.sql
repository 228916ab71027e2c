-- Accounts, their two environments, and the secrets that open them.

-- One row: what makes this database one deployment. master_key is the fingerprint of TRIBUTARY_MASTER_KEY, never the key.
create table deployment (
  only_row boolean primary key default true check (only_row),
  id uuid not null,
  master_key text not null,
  created_at timestamptz not null default now()
);

create table accounts (
  id uuid primary key,
  name text not null constraint accounts_name_key unique check (length(name) between 1 and 100),
  billing_status text not null default 'active' check (billing_status in ('active', 'past_due', 'suspended')),
  default_form smallint not null check (default_form in (1, 2)),
  created_at timestamptz not null default now()
);

-- user_count makes the total of a list and the user limit one look-up instead of a count.
create table account_environments (
  account_id uuid not null references accounts (id),
  environment text not null check (environment in ('live', 'sandbox')),
  user_limit integer check (user_limit >= 0),
  user_count integer not null default 0 check (user_count >= 0),
  primary key (account_id, environment)
);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  environment text not null check (environment in ('live', 'sandbox')),
  secret_hash bytea not null constraint api_keys_secret_hash_key unique,
  last_four text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

-- A new key stops the old one: at most one is in force per environment.
create unique index api_keys_in_force on api_keys (account_id, environment) where revoked_at is null;

-- Bumped in the transaction of every change that a cached credential must not outlive.
create table credential_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into credential_version (version) values (1);

-- Ed25519 keys of user tokens; the private half is sealed with a key derived from the master key.
create table signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk bytea not null,
  created_at timestamptz not null default now()
);

-- What was done to whom, without health data; erased users leave their line here.
create table audit_log (
  id uuid primary key,
  account_id uuid,
  environment text,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null
);
create index audit_log_by_account on audit_log (account_id, at);
