-- What happened in the syncs of a device, for the dashboard.

create table sync_log (
  user_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('webhook', 'poll', 'backfill')),
  outcome text not null,
  cause text,
  http_status smallint,
  retry_at timestamptz,
  records integer not null,
  refused integer not null,
  metrics text[] not null,
  from_date date,
  to_date date,
  duration_ms integer not null,
  runs integer not null default 1,
  primary key (user_id, id)
);
comment on table sync_log is 'Sync runs that stored something or failed. Written by the syncer at the end of a run; kept for 30 days and at most 500 rows per device.';
comment on column sync_log.id is 'ordered by time';
comment on column sync_log.kind is 'the most urgent work of the run';
comment on column sync_log.cause is 'the resource that failed, or what was wrong with an answer';
comment on column sync_log.retry_at is 'when the syncer tries again after a failure';
comment on column sync_log.refused is 'values that were dropped because they are impossible';
comment on column sync_log.from_date is 'of the days that changed, as to_date';
comment on column sync_log.runs is 'runs in a row that found nothing new share a row';
create index sync_log_of_device on sync_log (user_id, device_id, id);
create index sync_log_by_age on sync_log (at);

alter table authorization_requests add column opened_at timestamptz;
comment on column authorization_requests.opened_at is 'when the consent page was first shown';

-- The log of a user reads its newest rows of each table.
create index uploads_of_user on uploads (user_id, received_at);
drop index webhook_deliveries_of_user;
create index webhook_deliveries_of_user on webhook_deliveries (user_id, id) where user_id is not null;
