-- Accounts (customers), their two environments and their API keys.

create table accounts (
  id uuid primary key,
  name text not null constraint accounts_name_key unique check (length(name) between 1 and 100),
  billing_status text not null default 'active' check (billing_status in ('active', 'past_due', 'suspended')),
  default_form smallint not null check (default_form in (1, 2)),
  created_at timestamptz not null default now(),
  logo_url text,
  redirect_schemes text[] not null default '{}'
);
comment on table accounts is 'Customers of this deployment. Written by the operator.';
comment on column accounts.default_form is 'the API form used when a request names none';
comment on column accounts.logo_url is 'the logo on hosted pages';
comment on column accounts.redirect_schemes is 'URL schemes besides https that a connection may redirect back to';

create table account_environments (
  account_id uuid not null references accounts (id),
  environment text not null check (environment in ('live', 'sandbox')),
  user_limit integer check (user_limit >= 0),
  user_count integer not null default 0 check (user_count >= 0),
  primary key (account_id, environment)
);
comment on table account_environments is 'The live and the sandbox environment of each account. Written with the account; the count changes with each user that is created or deleted.';
comment on column account_environments.user_limit is 'null: no limit';
comment on column account_environments.user_count is 'kept here so that a list total and the limit check need no count(*)';

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  environment text not null check (environment in ('live', 'sandbox')),
  secret_hash bytea not null constraint api_keys_secret_hash_key unique,
  last_four text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  name text not null check (length(name) between 1 and 100),
  tokens_ended_at timestamptz
);
comment on table api_keys is 'API keys as hashes. Written by the operator; a new key revokes the key with the same name.';
comment on column api_keys.tokens_ended_at is 'user tokens that were issued with this key before this time are rejected; the tokens themselves are not stored';
create unique index api_keys_in_force on api_keys (account_id, environment, name) where revoked_at is null;

create table credential_cache_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
comment on table credential_cache_version is 'One counter. Every transaction that changes an account or an API key increments it, and every process that sees a new value clears its credential cache.';
insert into credential_cache_version (version) values (1);

create table audit_log (
  id uuid primary key,
  account_id uuid,
  environment text,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null
);
comment on table audit_log is 'Administrative actions, without health data. Written in the transaction of the action; rows about an erased user stay and hold only a hash of its id.';
create index audit_log_by_account on audit_log (account_id, at);
