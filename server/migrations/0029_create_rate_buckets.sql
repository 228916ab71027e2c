-- Rate limits of several API processes without Redis.

-- Unlogged: after a crash of the database all buckets are full again.
create unlogged table rate_buckets (
  key_hash bytea primary key,
  tokens double precision not null,
  updated_at timestamptz not null,
  full_at timestamptz not null
);
comment on table rate_buckets is 'Token buckets that API processes lease tokens from. Removed once they are full again.';
comment on column rate_buckets.key_hash is 'a hash of the credential, user or address';
comment on column rate_buckets.tokens is 'what no process has leased; below 0 if a process spent more while it was alone';
create index rate_buckets_full on rate_buckets (full_at);
