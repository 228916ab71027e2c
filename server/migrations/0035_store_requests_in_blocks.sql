-- The request log stores blocks of calls instead of a row per call, because writing a row per call cost reads a tenth of their throughput. Calls
-- before this are removed: the log keeps seven days only.

drop table request_log;

create table request_blocks (
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  seq bigint generated always as identity (start with 1024 increment by 1024),
  span bigint not null,
  size integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  failures integer not null,
  max_ms real not null,
  routes text[] not null,
  users uuid[] not null,
  id_hashes integer[] not null,
  calls text not null,
  is_merged boolean not null default false,
  primary key (account_id, environment, seq)
);
comment on table request_blocks is 'API calls of the last seven days, at most a million per environment, without bodies and addresses; up to 1,000 calls per row. Written by every API process once per second; a call is dropped and counted rather than waited for. Blocks of a past hour are merged.';
comment on column request_blocks.seq is 'position of the first call in the list; the other calls follow at their place after it';
comment on column request_blocks.span is 'positions that the block covers, including those of removed calls';
comment on column request_blocks.size is 'number of calls';
comment on column request_blocks.failures is 'calls with a status of 400 and above';
comment on column request_blocks.routes is 'the endpoints that were called, each once';
comment on column request_blocks.users is 'the users that the calls concern, each once; null: the user did not exist when the block was written';
comment on column request_blocks.id_hashes is '32-bit hashes of the request ids';
comment on column request_blocks.calls is 'JSON: groups of calls that have most fields in common, a list for each of the others; see request-block.ts';

create or replace view kept_users as
  select id, status, reference_id, last_sync_at, account_id, environment from users where status in ('active', 'unshared');
