-- Scores, their inputs, and the queue of days to score (docs/decisions/0011).

create table score_inputs (
  user_id uuid not null,
  date date not null,
  is_hidden boolean not null default false,
  inputs jsonb not null,
  primary key (user_id, date, is_hidden)
);
comment on table score_inputs is 'The inputs of the scores of one day: canonical values and what was computed from samples and sessions. Written only by the scoring run of that day.';
comment on column score_inputs.is_hidden is 'a sandbox day without data, so that baselines exist from the first day; data for the same day has a row of its own';
-- A body mass index needs the latest height before a day, however old it is.
create index score_inputs_heights on score_inputs (user_id, date)
  where not is_hidden and inputs -> 'values' ? 'height';

create table observed_max_heart_rates (
  user_id uuid not null,
  date date not null,
  bpm real not null,
  primary key (user_id, date)
);
comment on table observed_max_heart_rates is 'The highest heart rate of a day, for days that can set a user''s maximum. Written by consolidation; every list of workouts reads one year of it.';

create table scores (
  user_id uuid not null,
  date date not null,
  recovery_score smallint,
  strain_score smallint,
  sleep_score smallint,
  stress_score smallint,
  nutrition_score smallint,
  energy_reserve_score smallint,
  details jsonb not null,
  stress_series jsonb,
  primary key (user_id, date)
);
comment on table scores is 'The scores of one day, in tenths of a point so that they are exact. Written by scoring.';
comment on column scores.details is 'per score: factors, coverage, when and by which version it was computed, and its sources';
comment on column scores.stress_series is 'quarter hours since 1970 and the computed stress of each, where no device reported stress';

create table scoring_queue (
  user_id uuid primary key,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  days datemultirange not null default '{}',
  due_at timestamptz,
  day_scored_at timestamptz,
  failures smallint not null default 0
);
comment on table scoring_queue is 'Days to score, one row per user. Written in the transaction that emits the change of those days, and by the scoring run, which leaves the row without days.';
comment on column scoring_queue.due_at is 'null: nothing to score';
comment on column scoring_queue.day_scored_at is 'when strain, stress and energy of the current day were last computed';
comment on column scoring_queue.failures is 'scoring runs in a row that failed';
create index scoring_queue_by_due on scoring_queue (due_at) where due_at is not null;
