-- Sync with cloud providers (docs/decisions/0012).

create table synced_devices (
  user_id uuid not null,
  device_id uuid not null,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  provider text not null,
  app_id text not null,
  due_at timestamptz not null,
  claimed_until timestamptz,
  next_poll_at timestamptz,
  polled_to timestamptz,
  backoff_until timestamptz,
  failures integer not null default 0,
  unauthorized_since timestamptz,
  skipped_resources text[] not null default '{}',
  primary key (user_id, device_id)
);
comment on table synced_devices is 'Connected devices as the syncer sees them: when each is due and what delays it. Written by the syncer; one process at a time works on a device.';
comment on column synced_devices.due_at is 'the earliest of its tasks and its next poll';
comment on column synced_devices.next_poll_at is 'null: the provider is not polled';
comment on column synced_devices.polled_to is 'everything up to this time was requested, or is in a task';
comment on column synced_devices.backoff_until is 'no request before this time, after a failure or without budget';
comment on column synced_devices.failures is 'failed requests in a row';
comment on column synced_devices.skipped_resources is 'resources that the user does not share';
create index synced_devices_by_due on synced_devices (provider, due_at);

create table sync_tasks (
  user_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  kind text not null,
  urgency smallint not null,
  resource text,
  window_from timestamptz,
  window_to timestamptz,
  backfill_until timestamptz,
  cursor text,
  details json,
  body bytea,
  dedupe_key text,
  step integer not null default 0,
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  parked_at timestamptz,
  primary key (user_id, id),
  constraint sync_tasks_kind_check
    check (kind in ('window', 'one', 'request', 'pushed', 'deleted', 'history', 'arrival', 'check', 'subscribe'))
);
comment on table sync_tasks is 'Work of a sync: a resource to fetch or pushed data to store. Written by provider webhooks, polls and backfills; deleted when everything it fetched is committed.';
comment on column sync_tasks.kind is 'what the task does; arrival waits for history that the provider pushes later';
comment on column sync_tasks.urgency is '0: a provider webhook; 1: a poll; 2: backfill';
comment on column sync_tasks.backfill_until is 'a backfill moves its window back to this time, step by step';
comment on column sync_tasks.cursor is 'of the next page';
comment on column sync_tasks.details is 'what else the kind needs';
comment on column sync_tasks.body is 'pushed data, compressed with zstd';
comment on column sync_tasks.dedupe_key is 'a new task with the same key replaces this one';
comment on column sync_tasks.step is 'grows with every page; a process whose step is stale must not commit';
comment on column sync_tasks.parked_at is 'failed too often: kept for the operator to inspect';
create unique index sync_tasks_once on sync_tasks (user_id, device_id, dedupe_key);
create index sync_tasks_parked on sync_tasks (parked_at) where parked_at is not null;

create table pending_changes (
  user_id uuid not null,
  device_id uuid not null,
  metrics text[] not null,
  has_deletions boolean not null,
  days datemultirange not null,
  rescore_ranges datemultirange not null,
  primary key (user_id, device_id)
);
comment on table pending_changes is 'What the running sync of a device has changed. Written with each committed page; at the end of the sync it becomes one event and is queued for scoring.';
comment on column pending_changes.rescore_ranges is 'further days, of which only scores can change';

create table provider_webhooks (
  id uuid primary key,
  provider text not null,
  app_id text not null,
  body bytea not null,
  received_at timestamptz not null
);
comment on table provider_webhooks is 'Webhooks received from providers, byte for byte. Written before they are acknowledged; deleted when they have become sync tasks.';

create unlogged table provider_budgets (
  provider text not null,
  app_id text not null,
  person text not null,
  seconds integer not null,
  used integer not null,
  ends_at timestamptz not null,
  primary key (provider, app_id, person, seconds)
);
comment on table provider_budgets is 'Requests made in the current period of each provider rate limit, by all processes together. Written before each request; lost in a crash, as it is unlogged.';
comment on column provider_budgets.person is 'hash of the provider account; empty: the whole application';
comment on column provider_budgets.seconds is 'length of the period';

create table provider_webhook_registrations (
  provider text not null,
  app_id text not null,
  subscriptions_checked_at timestamptz,
  sealed_signing_secret bytea,
  public_keys json,
  keys_read_at timestamptz,
  webhook_version integer not null default 1 check (webhook_version > 0),
  previous_webhook_until timestamptz,
  previous_sealed_signing_secret bytea,
  primary key (provider, app_id)
);
comment on table provider_webhook_registrations is 'How each application at a provider receives webhooks: the version of its URL and the keys that verify signatures. Written when subscriptions are checked, public keys are read, or the URL is rotated.';
comment on column provider_webhook_registrations.sealed_signing_secret is 'the provider reveals it once, at registration';
comment on column provider_webhook_registrations.webhook_version is 'the secret in the URL is derived from it';
comment on column provider_webhook_registrations.previous_webhook_until is 'the URL and the signing secret before the last rotation are accepted until this time';
