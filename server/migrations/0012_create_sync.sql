-- What is to be fetched from clouds or taken in from them, and what may be asked of them (docs/decisions/0012).

-- A connected device as the engine sees it: when its turn comes, and what stands in its way. One process at a time works on it.
create table synced_devices (
  user_id uuid not null,
  device_id uuid not null,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  provider text not null,
  app_id text not null,
  due_at timestamptz not null,            -- the earliest of its errands and its next poll
  claimed_until timestamptz,
  next_poll_at timestamptz,               -- null: its provider is not polled
  polled_to timestamptz,                  -- all up to here was asked for, or is in an errand
  quiet_until timestamptz,                -- no request before: it failed, or there is no budget
  failures integer not null default 0,    -- requests in a row
  unauthorized_since timestamptz,
  left_out text[] not null default '{}',  -- resources that the person does not share
  primary key (user_id, device_id)
);
create index synced_devices_by_turn on synced_devices (provider, due_at);

-- One thing to fetch or to take in. It is there until all of it is committed.
create table sync_errands (
  user_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  kind text not null check (kind in ('window', 'one', 'request', 'pushed', 'deleted', 'history', 'check', 'subscribe')),
  urgency smallint not null,              -- 0: the provider said so; 1: poll; 2: backfill
  resource text,
  window_from timestamptz,
  window_to timestamptz,
  walks_to timestamptz,                   -- backfill: the window goes back to here, step by step
  cursor text,                            -- of the next page
  details json,                           -- what else its kind needs
  body bytea,                             -- pushed, zstd
  sameness text,                          -- another that asks for the same is this one
  step integer not null default 0,        -- grows with every page: whoever comes late sees that it is another's
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  set_aside_at timestamptz,               -- tried often, and never right: for somebody to look at
  primary key (user_id, id)
);
create unique index sync_errands_once on sync_errands (user_id, device_id, sameness);
create index sync_errands_set_aside on sync_errands (set_aside_at) where set_aside_at is not null;

-- What the present sync of a device has changed so far, told as one event at its end.
create table gathered_changes (
  user_id uuid not null,
  device_id uuid not null,
  metrics text[] not null,
  from_date date,
  to_date date,
  has_deletions boolean not null,
  primary key (user_id, device_id)
);

-- Notices of providers as they came, from their acknowledgement until they are errands.
create table provider_notices (
  id uuid primary key,
  provider text not null,
  app_id text not null,
  body bytea not null,
  received_at timestamptz not null
);

-- Requests made in the present window of each budget, of all processes together.
create unlogged table provider_budgets (
  provider text not null,
  app_id text not null,
  person text not null,                   -- '': of the whole application
  seconds integer not null,
  used integer not null,
  ends_at timestamptz not null,
  primary key (provider, app_id, person, seconds)
);

-- What we know of our applications at providers beside their credentials.
create table provider_app_facts (
  provider text not null,
  app_id text not null,
  subscriptions_checked_at timestamptz,
  sealed_signing_secret bytea,            -- told once by the provider
  public_keys json,
  keys_read_at timestamptz,
  primary key (provider, app_id)
);
