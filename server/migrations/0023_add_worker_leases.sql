-- How workers show that they live and what they are working on, without the views of the server: those show only connections,
-- which a connection pooler shares.

create table job_runners (
  id text primary key,
  seen_at timestamptz not null
);
comment on table job_runners is 'Runners of jobs. Each writes its row every two seconds and deletes it when it stops; the jobs of a runner whose row is too old return to the queue.';
comment on column job_runners.id is 'the value of locked_by in the jobs that the runner took';
comment on column job_runners.seen_at is 'by the clock of the database';

alter table scoring_queue add column claimed_until timestamptz;
comment on column scoring_queue.claimed_until is 'a worker computes these scores, and no other takes the row until then';
