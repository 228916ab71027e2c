-- With it a bucket and what processes lease from it are together never more than the burst.

alter table rate_buckets
  add column leased double precision not null default 0,
  add column leased_before double precision not null default 0;
comment on column rate_buckets.leased is 'tokens that processes keep for later requests, leased in the half minute of updated_at';
comment on column rate_buckets.leased_before is 'the same of the half minute before; older ones are forgotten';
