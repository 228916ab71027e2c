create table sandbox_people (
  user_id uuid primary key,
  account_id uuid not null,
  data_until timestamptz not null,
  due_at timestamptz not null
);
comment on table sandbox_people is 'How far the generated data of each sandbox user goes. Written by the sandbox when it generates a day.';
comment on column sandbox_people.data_until is 'bedtime of the last generated day; a night is generated with the day it ends on';
comment on column sandbox_people.due_at is 'when the next day has ended and is generated';
create index sandbox_people_by_due on sandbox_people (due_at, user_id);
