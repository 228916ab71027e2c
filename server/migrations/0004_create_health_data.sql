-- What devices measured, and what was chosen from it. Every table leads with user_id and has no foreign key, so that it can
-- be distributed by user. Devices are numbered within their user and metrics have numbers of their own: both stand in every
-- row, and two bytes are less than sixteen.

alter table users
  add column data_revision bigint not null default 0,          -- grows with every change of what is read
  add column longest_sample_seconds integer not null default 0; -- how far back a sample can begin that lasts into a day

alter table devices
  add column number smallint not null default 0,
  add column transport text not null default 'cloud' check (transport in ('sdk', 'cloud')),
  add column device_class text not null default 'app',
  add column identity text,               -- what makes a source the same one again; null while nothing is known of it
  add column name text,
  add column model text,
  add column os_version text,
  add column observed_zone text,          -- as the phone said it; never changes the profile
  add column disconnected_at timestamptz, -- a deleted source stays barred until a new SDK session begins
  drop constraint devices_status_check,
  add constraint devices_status_check check (status in ('pending', 'active', 'failed', 'expired', 'reauthorize', 'disconnected'));
create unique index devices_of_identity on devices (user_id, identity) where identity is not null;

-- Normalized: all samples of one user, metric and device that begin in one span of six hours (docs/decisions/0008).
-- Columns by size, so that nothing is lost to alignment.
create table sample_blocks (
  user_id uuid not null,
  min double precision not null,     -- in the catalog's unit, as max and sum
  max double precision not null,
  sum double precision not null,
  block integer not null,            -- spans since 1970
  revision integer not null,
  count integer not null,
  first_ms integer not null,         -- after the span begins, as last_ms
  last_ms integer not null,
  reach_seconds integer not null,    -- the latest end, after the span begins
  metric smallint not null,
  device smallint not null,
  payload bytea not null,
  primary key (user_id, metric, block, device)
);
alter table sample_blocks alter column payload set storage external; -- compressed already

-- Normalized: each device's own value of each day, a month of all metrics in one row (docs/decisions/0009).
create table device_months (
  user_id uuid not null,
  month integer not null,            -- since January 1970
  device smallint not null,
  payload bytea not null,
  primary key (user_id, month, device)
);
alter table device_months alter column payload set storage external;

-- Canonical: the chosen value of each day, and who gave it.
create table daily_months (
  user_id uuid not null,
  month integer not null,
  payload bytea not null,
  primary key (user_id, month)
);
alter table daily_months alter column payload set storage external;

-- Sleeps as devices reported them, and which of them are shown: canonical where copy_of is null.
create table sleep_sessions (
  user_id uuid not null,
  id uuid not null,
  device smallint not null,
  key text not null,                 -- the device's own id, else the start
  start_at timestamptz not null,
  end_at timestamptz not null,
  date date not null,                -- the local day it counts toward
  copy_of uuid,                      -- the shown session that recorded the same sleep
  is_main boolean not null default false,
  record jsonb not null,
  primary key (user_id, id)
);
create unique index sleep_sessions_of_device on sleep_sessions (user_id, device, key);
create index sleep_sessions_by_start on sleep_sessions (user_id, start_at, id);

create table workouts (
  user_id uuid not null,
  id uuid not null,
  device smallint not null,
  key text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  date date not null,
  copy_of uuid,
  record jsonb not null,
  trace bytea,                       -- heart rate, as the bytes of a sample block
  primary key (user_id, id)
);
alter table workouts alter column trace set storage external;
create unique index workouts_of_device on workouts (user_id, device, key);
create index workouts_by_start on workouts (user_id, start_at, id);

-- What was answered to an upload, so that a retry gets the same.
create table uploads (
  user_id uuid not null,
  upload_id uuid not null,
  device smallint not null,
  body_hash bytea not null,
  answer jsonb not null,
  received_at timestamptz not null,
  primary key (user_id, upload_id)
);
create index uploads_by_age on uploads (received_at);

-- Raw: what came in, compressed, for a while (TRIBUTARY_RAW_RETENTION_DAYS).
create table raw_payloads (
  user_id uuid not null,
  id uuid not null,                  -- of the upload
  device smallint not null,
  kind text not null,                -- which mapping reads it
  context jsonb not null,            -- what else the mapping needs
  received_at timestamptz not null,
  payload bytea not null,            -- zstd
  primary key (user_id, id)
);
alter table raw_payloads alter column payload set storage external;
create index raw_payloads_by_age on raw_payloads (received_at);

-- Events, written with the change they tell of, until they are given their place in the feed.
create table event_outbox (
  user_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  type text not null,
  device_id uuid,
  metrics text[] not null,
  from_date date,
  to_date date,
  has_deletions boolean not null default false,
  created_at timestamptz not null,
  primary key (user_id, id)
);

-- Days whose scores have to be looked at again.
create table scoring_marks (
  user_id uuid primary key,
  from_date date not null,
  to_date date not null,
  marked_at timestamptz not null
);
