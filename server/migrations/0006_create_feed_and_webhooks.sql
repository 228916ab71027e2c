-- The feed of events, and webhooks. Tables of accounts, not of people: the outbox stays beside the person's data, the publisher
-- carries its rows over (docs/decisions/0010).

-- The order in which the events of one person are published. A person's changes wait for each other, so theirs ascends with them.
alter table event_outbox add column seq bigint generated always as identity;
create index event_outbox_by_seq on event_outbox (seq);
-- Empty most of the time, and emptied many times a second at others.
alter table event_outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);

create table feed_heads (
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  position bigint not null,                    -- of the newest event
  removed_through bigint not null default 0,   -- events up to here are over 90 days old and gone
  primary key (account_id, environment)
);

create table feed_events (
  account_id uuid not null,
  environment text not null,
  position bigint not null,
  id uuid not null,
  user_id uuid not null,
  type text not null,
  body text not null,                          -- the event as it is shown, byte for byte
  published_at timestamptz not null,
  primary key (account_id, environment, position)
);
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
  disabled_reason text check (disabled_reason in ('paused', 'gone', 'failing')),
  secret bytea not null,                       -- sealed, as the one before it
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  last_delivery_at timestamptz,                -- the last success
  failing_since timestamptz,                   -- the first failure after it
  due_at timestamptz,                          -- when to look for deliveries; null: none waits
  pending_from timestamptz,                    -- no pending delivery has an earlier due_at
  check ((status = 'disabled') = (disabled_reason is not null))
);
create index webhooks_of_tenant on webhooks (account_id, environment, id);
create index webhooks_due on webhooks (due_at) where status = 'active';
alter table webhooks set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table webhook_deliveries (
  webhook_id uuid not null,
  id uuid not null,
  user_id uuid,                                -- null: a test
  event_id uuid not null,
  event_type text not null,
  account_id uuid not null,
  environment text not null,
  position bigint,                             -- where the event's body stands in the feed
  test_body text,                              -- of a test, which is in no feed
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempt_count smallint not null default 0,
  due_at timestamptz,                          -- of the next attempt
  claim uuid,                                  -- of whoever makes that attempt now
  claimed_until timestamptz,                   -- then it counts as lost
  created_at timestamptz not null,
  attempts jsonb not null default '[]',
  primary key (webhook_id, id)
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where status = 'pending';
create index webhook_deliveries_of_user on webhook_deliveries (user_id) where user_id is not null;
-- Room in its page for a row that is claimed: then no index is written.
alter table webhook_deliveries set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
