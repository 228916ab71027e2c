-- Who of the sandbox gets a new day when one has ended, and how far the person's days have come.
create table sandbox_people (
  user_id uuid primary key,
  account_id uuid not null,
  data_until timestamptz not null,   -- bedtime of the last day that was told: the night comes with the day it ends on
  due_at timestamptz not null        -- when the next day has ended
);
create index sandbox_people_by_due on sandbox_people (due_at, user_id);
