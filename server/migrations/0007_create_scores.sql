-- Scores: what they are made of, what came out, and which days have to be looked at again.

-- One row a day: canonical values and what was worked out of samples and sessions. Written only by the run that also scores
-- the day. Hidden days are those that a sandbox was given without data, so that what is usual is known from its first day on; data that
-- comes for such a day stands beside it, and may go again.
create table score_inputs (
  user_id uuid not null,
  date date not null,
  is_hidden boolean not null default false,
  inputs jsonb not null,
  primary key (user_id, date, is_hidden)
);

-- The highest heart rates of days, where they can be somebody's maximum: read for a year back with every list of workouts.
create table heart_peaks (
  user_id uuid not null,
  date date not null,
  bpm real not null,
  primary key (user_id, date)
);

-- One row a day with a score. Values are in tenths, so that they are exact and that a history reads no more than it shows.
create table scores (
  user_id uuid not null,
  date date not null,
  recovery_score smallint,
  strain_score smallint,
  sleep_score smallint,
  stress_score smallint,
  nutrition_score smallint,
  energy_reserve_score smallint,
  details jsonb not null,            -- by score: factors, coverage, when and by which version computed, what each was read from
  stress_series jsonb,               -- quarter hours since 1970 and the stress in each, where no device said it
  primary key (user_id, date)
);

-- A mark is one row a user: its days, and when its turn comes. A row without days remembers when the present day was scored.
-- The marks there were are of all days that ever came in: nobody was scored before.
alter table scoring_marks rename to former_marks;
create table scoring_marks (
  user_id uuid primary key,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  days datemultirange not null default '{}',
  due_at timestamptz,
  day_scored_at timestamptz,         -- when strain, stress and energy of the then present day were last worked out
  failures smallint not null default 0
);
create index scoring_marks_by_due on scoring_marks (due_at) where due_at is not null;
insert into scoring_marks (user_id, account_id, environment, days, due_at)
  select m.user_id, u.account_id, u.environment, datemultirange(daterange(m.from_date, m.to_date, '[]')), m.marked_at
    from former_marks m join users u on u.id = m.user_id;
drop table former_marks;
