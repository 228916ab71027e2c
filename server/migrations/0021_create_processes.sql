-- The running processes of the deployment, for the operator.

create table processes (
  id uuid primary key,
  role text not null check (role in ('all', 'api', 'worker')),
  version text not null,
  host text not null check (length(host) <= 255),
  pid integer not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  disk_total_bytes bigint,
  disk_free_bytes bigint
);
comment on table processes is 'Running processes. Each writes its row every ten seconds and deletes it when it stops; a row that was not written for a day is removed.';
comment on column processes.seen_at is 'by the clock of the database, as started_at';
comment on column processes.disk_total_bytes is 'of the disk with the data folder; null: not known';
