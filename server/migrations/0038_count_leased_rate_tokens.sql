-- With it a bucket and what processes lease from it are together never more than the burst.

alter table rate_buckets add column leased double precision not null default 0;
comment on column rate_buckets.leased is 'tokens that processes keep for later requests; forgotten a minute after the last lease';
