-- The event feed and webhooks to customers. The outbox is stored with the user's data; the publisher moves its rows to the
-- feed of the account (docs/decisions/0010).

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
  seq bigint generated always as identity,
  primary key (user_id, id)
);
comment on table event_outbox is 'Events that are not published yet. Written in the transaction of the change they report; the publisher deletes them.';
comment on column event_outbox.seq is 'the order of publication; it ascends within a user, because changes of one user wait for each other';
create index event_outbox_by_seq on event_outbox (seq);
-- Almost empty most of the time, and emptied many times per second under load.
alter table event_outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);

create table feed_heads (
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  position bigint not null,
  removed_through bigint not null default 0,
  primary key (account_id, environment)
);
comment on table feed_heads is 'How far the event feed of each environment goes. Written by the publisher.';
comment on column feed_heads.position is 'of the newest event';
comment on column feed_heads.removed_through is 'events up to this position were older than 90 days and are removed';

create table feed_events (
  account_id uuid not null,
  environment text not null,
  position bigint not null,
  id uuid not null,
  user_id uuid not null,
  type text not null,
  body text not null,
  published_at timestamptz not null,
  primary key (account_id, environment, position)
);
comment on table feed_events is 'Published events, by their position in the feed of an environment. Written by the publisher.';
comment on column feed_events.body is 'the event as the API returns it, byte for byte';
create index feed_events_of_user on feed_events (user_id, position);
create index feed_events_of_type on feed_events (account_id, environment, type, position);

create table webhooks (
  id uuid primary key,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  url text not null,
  events text[] not null,
  description text,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  last_delivery_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz,
  pending_from timestamptz,
  created_by_key uuid,
  check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhooks_disabled_reason_check check (disabled_reason in ('paused', 'gone', 'failing', 'key_revoked'))
);
comment on table webhooks is 'Webhook endpoints of customers. Written by the webhooks API, and by the sender after each attempt.';
comment on column webhooks.disabled_reason is 'deliveries wait only while the reason is paused';
comment on column webhooks.secret is 'sealed, as previous_secret';
comment on column webhooks.last_delivery_at is 'the last success';
comment on column webhooks.failing_since is 'the first failure after the last success';
comment on column webhooks.due_at is 'when the sender looks for deliveries; null: none is pending';
comment on column webhooks.pending_from is 'no pending delivery is due earlier';
comment on column webhooks.created_by_key is 'the API key; revoking it can disable the webhook';
create index webhooks_of_tenant on webhooks (account_id, environment, id);
create index webhooks_due on webhooks (due_at) where status = 'active';
create index webhooks_by_key on webhooks (created_by_key);
alter table webhooks set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table webhook_deliveries (
  webhook_id uuid not null,
  id uuid not null,
  user_id uuid,
  event_id uuid not null,
  event_type text not null,
  account_id uuid not null,
  environment text not null,
  position bigint,
  test_body text,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempt_count smallint not null default 0,
  due_at timestamptz,
  claim uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  attempts jsonb not null default '[]',
  primary key (webhook_id, id)
);
comment on table webhook_deliveries is 'One event for one webhook, with its attempts. Written by the publisher, then by the sender after each attempt.';
comment on column webhook_deliveries.user_id is 'null: a test delivery';
comment on column webhook_deliveries.position is 'of the event in the feed, which holds the body';
comment on column webhook_deliveries.test_body is 'the body of a test delivery, which is not in the feed';
comment on column webhook_deliveries.due_at is 'of the next attempt';
comment on column webhook_deliveries.claim is 'of the process that makes the attempt now';
comment on column webhook_deliveries.claimed_until is 'after this time the attempt counts as lost';
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where status = 'pending';
create index webhook_deliveries_of_user on webhook_deliveries (user_id) where user_id is not null;
-- A page keeps room for the claimed version of a row, so that a claim writes no index.
alter table webhook_deliveries set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
