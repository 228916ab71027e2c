-- The deployment and the keys that protect its secrets (docs/decisions/0013-keys.md).

create table deployment (
  only_row boolean primary key default true check (only_row),
  id uuid not null,
  created_at timestamptz not null default now()
);
comment on table deployment is 'The identity of this deployment. One row, written at the first start.';

create table master_keys (
  fingerprint text primary key,
  number integer generated always as identity,
  created_at timestamptz not null default now(),
  seen_at timestamptz
);
comment on table master_keys is 'Master keys that can open this deployment: one, or several during a rotation. A row holds a fingerprint, never the key. Written at the start and by the key rotation command.';
comment on column master_keys.number is 'the order in which the keys were added';
comment on column master_keys.seen_at is 'when a process last reported that it runs with this key; null: never';

create table data_keys (
  id integer primary key check (id >= 0),
  created_at timestamptz not null default now()
);
comment on table data_keys is 'Data keys by number. Key 0 derives tokens and cursors; a sealed secret names the key that sealed it. Written at the start and by key rotation.';

create table wrapped_keys (
  data_key integer not null references data_keys (id),
  master_key text not null references master_keys (fingerprint) on delete cascade,
  wrapped bytea not null,
  primary key (data_key, master_key)
);
comment on table wrapped_keys is 'Each data key encrypted with each master key. Written whenever a data key or a master key is added.';

create table signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk bytea not null,
  created_at timestamptz not null default now()
);
comment on table signing_keys is 'Ed25519 keys that sign user tokens. Written at the first start and by key rotation.';
comment on column signing_keys.sealed_private_jwk is 'the private key, sealed with a data key';
