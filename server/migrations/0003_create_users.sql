-- Users and the sources of their data. Tables of health data refer to user_id without a foreign key, so that they can be
-- distributed by user.

create table users (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  environment text not null check (environment in ('live', 'sandbox')),
  reference_id text not null check (length(reference_id) between 1 and 255),
  status text not null default 'active',
  score_status text not null check (score_status in ('calibrating', 'ready', 'stale')),
  profile jsonb not null default '{}',
  metadata jsonb not null default '{}',
  last_sync_at timestamptz,
  last_score_at timestamptz,
  created_at timestamptz not null,
  data_revision bigint not null default 0,
  longest_sample_seconds integer not null default 0,
  consolidation jsonb,
  unshared_at timestamptz,
  constraint users_status_check check (status in ('active', 'unshared', 'deleting')),
  check (status <> 'unshared' or unshared_at is not null)
);
comment on table users is 'The people whose data is stored. Written by the users API and the roster; each write of health data locks the row of its user.';
comment on column users.status is 'unshared: the person left the roster; the account can no longer read the user, the person can. deleting: the erasure job removes the user';
comment on column users.data_revision is 'grows with every change of the data that can be read';
comment on column users.longest_sample_seconds is 'a read of a day looks this far back for samples that last into the day';
comment on column users.consolidation is 'how data of several devices is consolidated, where it differs from the catalog; null: as in the catalog';
-- The reference of an unshared user stays taken, so that it is the same when the person returns.
create unique index users_reference_in_use on users (account_id, environment, reference_id) where status in ('active', 'unshared');
create index users_newest_first on users (account_id, environment, created_at desc, id desc) where status = 'active';
create index users_unshared on users (unshared_at) where status = 'unshared';

create table user_zones (
  user_id uuid not null,
  valid_from timestamptz not null default '-infinity',
  zone text,
  primary key (user_id, valid_from)
);
comment on table user_zones is 'The time zone in which a user''s days are counted. One row per user, written with the user''s profile.';
comment on column user_zones.zone is 'IANA name; null: not known';

create table devices (
  user_id uuid not null,
  id uuid not null,
  provider text not null,
  status text not null,
  created_at timestamptz not null default now(),
  connected_at timestamptz,
  last_sync_at timestamptz,
  number smallint not null default 0,
  transport text not null default 'cloud' check (transport in ('sdk', 'cloud')),
  device_class text not null default 'app',
  identity text,
  name text,
  model text,
  os_version text,
  observed_zone text,
  disconnected_at timestamptz,
  closes_at timestamptz,
  merged_into uuid,
  backfill_state text check (backfill_state in ('waiting', 'running', 'done', 'failed')),
  backfill_from date,
  barred_identity text,
  primary key (user_id, id),
  constraint devices_status_check check (status in ('pending', 'active', 'failed', 'expired', 'reauthorize', 'disconnected'))
);
comment on table devices is 'Sources of a user''s data: a phone, a wearable behind it, or an account at a cloud provider. Written by uploads and by connections.';
comment on column devices.number is 'of the device within its user; tables of health data use it as device';
comment on column devices.identity is 'recognizes a source that uploads again; null while unknown';
comment on column devices.observed_zone is 'as the phone reported it; does not change the profile';
comment on column devices.disconnected_at is 'a deleted SDK source stays barred until a new SDK session starts';
comment on column devices.closes_at is 'when the authorization request expires, or when it ended';
comment on column devices.merged_into is 'the earlier device of the same provider account; its data stays there';
comment on column devices.backfill_state is 'null: no history to fetch';
comment on column devices.barred_identity is 'keyed hash of the identity of a deleted source, which may contain a name';
create unique index devices_of_identity on devices (user_id, identity) where identity is not null;
create index devices_by_closing on devices (closes_at) where closes_at is not null;
