-- Health data: what devices sent (raw), each device's values (normalized), and the consolidated values (canonical). Every
-- primary key starts with user_id. Devices and metrics are small numbers because they are in every row.

create table sample_blocks (
  user_id uuid not null,
  min double precision not null,
  max double precision not null,
  sum double precision not null,
  block integer not null,
  revision integer not null,
  count integer not null,
  first_ms integer not null,
  last_ms integer not null,
  reach_seconds integer not null,
  metric smallint not null,
  device smallint not null,
  payload bytea not null,
  primary key (user_id, metric, block, device)
);
comment on table sample_blocks is 'Normalized samples: all samples of one user, metric and device that start within the same six hours, packed in one row (docs/decisions/0008). Written by uploads and syncs. Columns are ordered by size, so that alignment wastes no bytes.';
comment on column sample_blocks.min is 'in the unit of the catalog, as max and sum';
comment on column sample_blocks.block is 'number of the six hours since 1970';
comment on column sample_blocks.first_ms is 'milliseconds from the start of the block, as last_ms';
comment on column sample_blocks.reach_seconds is 'the latest end of a sample, from the start of the block';
comment on column sample_blocks.payload is 'the samples, compressed';
alter table sample_blocks alter column payload set storage external;

create table device_months (
  user_id uuid not null,
  month integer not null,
  device smallint not null,
  payload bytea not null,
  primary key (user_id, month, device)
);
comment on table device_months is 'Normalized daily values: the values of one device for all metrics and days of a month, packed in one row (docs/decisions/0009). Written by uploads and syncs.';
comment on column device_months.month is 'months since January 1970';
alter table device_months alter column payload set storage external;

create table daily_months (
  user_id uuid not null,
  month integer not null,
  payload bytea not null,
  primary key (user_id, month)
);
comment on table daily_months is 'Canonical daily values: the consolidated value of each metric and day of a month with the device it came from, packed in one row. Written by consolidation and scoring.';
comment on column daily_months.month is 'months since January 1970';
alter table daily_months alter column payload set storage external;

create table sleep_sessions (
  user_id uuid not null,
  id uuid not null,
  device smallint not null,
  key text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  date date not null,
  duplicate_of uuid,
  is_main boolean not null default false,
  record jsonb not null,
  primary key (user_id, id)
);
comment on table sleep_sessions is 'Sleep sessions as devices reported them. Written by uploads and syncs; consolidation decides which of them are canonical.';
comment on column sleep_sessions.key is 'the device''s id of the session, or its start';
comment on column sleep_sessions.date is 'the local day the sleep counts toward';
comment on column sleep_sessions.duplicate_of is 'null: canonical. Otherwise the canonical session of the same sleep, or this session''s id where none is canonical';
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
  duplicate_of uuid,
  record jsonb not null,
  trace bytea,
  primary key (user_id, id)
);
comment on table workouts is 'Workouts as devices reported them. Written by uploads and syncs; consolidation decides which of them are canonical.';
comment on column workouts.key is 'the device''s id of the workout, or its start';
comment on column workouts.duplicate_of is 'as in sleep_sessions';
comment on column workouts.trace is 'heart rate, encoded as the payload of a sample block';
alter table workouts alter column trace set storage external;
create unique index workouts_of_device on workouts (user_id, device, key);
create index workouts_by_start on workouts (user_id, start_at, id);

create table uploads (
  user_id uuid not null,
  upload_id uuid not null,
  device smallint not null,
  body_hash bytea not null,
  answer jsonb not null,
  received_at timestamptz not null,
  primary key (user_id, upload_id)
);
comment on table uploads is 'Responses to uploads, so that a retry gets the same response. Written with the data of the upload.';
create index uploads_by_age on uploads (received_at);

create table raw_payloads (
  user_id uuid not null,
  id uuid not null,
  device smallint not null,
  kind text not null,
  context jsonb not null,
  received_at timestamptz not null,
  payload bytea not null,
  primary key (user_id, id)
);
comment on table raw_payloads is 'Raw uploads and provider pages, kept for TRIBUTARY_RAW_RETENTION_DAYS so that they can be mapped again. Written with the data mapped from them.';
comment on column raw_payloads.kind is 'which mapping reads it';
comment on column raw_payloads.context is 'what else the mapping needs';
comment on column raw_payloads.payload is 'compressed with zstd';
alter table raw_payloads alter column payload set storage external;
create index raw_payloads_by_age on raw_payloads (received_at);
