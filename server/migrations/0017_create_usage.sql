-- The request log and the usage counters behind the dashboard.

create table request_log (
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  seq bigint generated always as identity,
  id text not null,
  at timestamptz not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  error text,
  ms real not null,
  bytes bigint,
  credential_kind text not null,
  credential_id text,
  user_id uuid,
  agent text,
  primary key (account_id, environment, seq)
);
create index request_log_of_id on request_log (id);
create index request_log_failed on request_log (account_id, environment, seq) where status >= 400;
create index request_log_of_user on request_log (user_id, seq) where user_id is not null;
comment on table request_log is 'API calls of the last seven days, at most a million per environment, without bodies and addresses. Written by every API process once per second; a call is dropped and counted rather than waited for.';
comment on column request_log.seq is 'order of the list and of its cursors';
comment on column request_log.id is 'the request id, as in the response header';
comment on column request_log.path is 'with the query, but without ids and values that could describe a person';
comment on column request_log.error is 'the error code of the response; null: it was no error';
comment on column request_log.bytes is 'length of the response body; null: it was streamed';
comment on column request_log.user_id is 'the user that the call concerns, from the path or the credential';

create table usage_minutes (
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  at timestamptz not null,
  kind text not null,
  key text not null,
  n bigint not null,
  bad bigint not null,
  ms_sum double precision not null,
  primary key (account_id, environment, at, kind, key)
);
comment on table usage_minutes is 'Counters per minute, kept for two days. Every process adds what it counted every five seconds.';
comment on column usage_minutes.kind is 'request, upload, reading, event, source, delivery or listen';
comment on column usage_minutes.key is 'what is counted apart within the kind: the API key, the event type, the provider or the webhook';
comment on column usage_minutes.bad is 'how many of n failed or were refused';
comment on column usage_minutes.ms_sum is 'time taken in total';
create index usage_minutes_by_age on usage_minutes (at);

create table usage_hours (
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  at timestamptz not null,
  kind text not null,
  key text not null,
  n bigint not null,
  bad bigint not null,
  ms_sum double precision not null,
  primary key (account_id, environment, at, kind, key)
);
create index usage_hours_by_age on usage_hours (at);
comment on table usage_hours is 'Counters per hour, kept for 90 days. A job sums them from the minutes.';
create table usage_days (
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  at timestamptz not null,
  kind text not null,
  key text not null,
  n bigint not null,
  bad bigint not null,
  ms_sum double precision not null,
  primary key (account_id, environment, at, kind, key)
);
create index usage_days_by_age on usage_days (at);
comment on table usage_days is 'Counters per UTC day, kept for two years. A job sums them from the hours.';

create index synced_devices_of_account on synced_devices (account_id, environment, backoff_until);
