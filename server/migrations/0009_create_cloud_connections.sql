-- How a person's account at a cloud provider is connected, and what may be asked in its name.

-- What people are shown of an account on hosted pages, and where it may have them sent beside https.
alter table accounts
  add column logo_url text,
  add column redirect_schemes text[] not null default '{}';

alter table devices
  add column closes_at timestamptz, -- of the attempt to connect it: ahead while it is open, then when it ended
  add column merged_into uuid,    -- the earlier device of the same account at the provider: data stays there
  add column backfill_state text check (backfill_state in ('waiting', 'running', 'done', 'failed')), -- null: nothing to fetch
  add column backfill_from date;
create index devices_by_closing on devices (closes_at) where closes_at is not null;

-- One hosted page, for one device: from the address that was given out to the answer of the provider.
create table connection_attempts (
  secret_hash bytea primary key,          -- of the address
  user_id uuid not null,
  device_id uuid not null,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  provider text not null,
  app_id text not null,
  redirect_url text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,                 -- the person said yes or no: the address is used
  state_hash bytea unique,                -- of what the provider has to bring back; null until the person agreed
  browser_hash bytea,                     -- of the cookie of the browser in which that was
  sealed_errand bytea,                    -- state and PKCE verifier, bound to this row: a second click leads to the same place
  finished_at timestamptz                 -- one answer of the provider, and no other
);
create index connection_attempts_of_device on connection_attempts (user_id, device_id);
create index connection_attempts_by_expiry on connection_attempts (expires_at);

-- A person's account at a provider, with its tokens. The same account may be connected by several users.
create table provider_accounts (
  user_id uuid not null,
  device_id uuid not null,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  provider text not null,
  app_id text not null,                   -- of our application there: tokens are good for it alone
  provider_user_id text not null,
  scopes text[],                          -- null: not said
  sealed_tokens bytea not null,           -- bound to this row
  tokens_expire_at timestamptz,           -- null: they do not, or nobody knows
  token_turn integer not null default 0,  -- grows with every pair: tells whether another has refreshed meanwhile
  connected_at timestamptz not null,
  refreshing_until timestamptz,           -- one process has asked for the next pair, and nobody else does until then
  refused_at timestamptz,                 -- the provider has definitely refused: only the person can help
  primary key (user_id, device_id)
);
create index provider_accounts_by_person on provider_accounts (provider, app_id, provider_user_id);

-- Applications that customers registered at providers themselves. Those of the operator are settings.
create table provider_clients (
  account_id uuid not null references accounts (id),
  provider text not null,
  app_id text not null,
  client_id text not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  primary key (account_id, provider)
);
create index provider_clients_by_app on provider_clients (provider, app_id);
