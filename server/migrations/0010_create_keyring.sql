-- Keys of secrets at rest. Data keys are kept here only as master keys have wrapped them (docs/decisions/0013-keys.md).

-- Every master key that opens this deployment: one, or several while one is being replaced. Never the key itself.
create table master_keys (
  fingerprint text primary key,
  number integer generated always as identity,   -- the order in which they came
  created_at timestamptz not null default now(),
  seen_at timestamptz                            -- when a process last told that it runs with it; null: never
);

-- 0 is the root, which tokens and cursors are derived from; the others seal secrets, which name them by id.
create table data_keys (
  id integer primary key check (id >= 0),
  created_at timestamptz not null default now()
);

create table wrapped_keys (
  data_key integer not null references data_keys (id),
  master_key text not null references master_keys (fingerprint) on delete cascade,
  wrapped bytea not null,
  primary key (data_key, master_key)
);

-- The fingerprint moves; the next start with that key makes the data keys.
insert into master_keys (fingerprint, created_at, seen_at) select master_key, created_at, now() from deployment;
alter table deployment drop column master_key;
