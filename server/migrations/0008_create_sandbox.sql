-- Who of the sandbox gets a new day when one has ended, and how far the person's days have come.
create table sandbox_people (
  user_id uuid primary key,
  account_id uuid not null,
  data_until timestamptz not null    -- end of the last day that was told
);
create index sandbox_people_by_end on sandbox_people (data_until, user_id);
