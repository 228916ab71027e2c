-- On Citus, a user's data is on another node than the user. A transaction that changes it takes a lock on both.

create table data_locks (
  user_id uuid primary key,
  is_locked boolean not null default true
);
comment on table data_locks is 'On Citus one row per user, on the node of the data: a transaction locks it and so waits for an earlier one that has not committed on this node yet. Empty without Citus.';
comment on column data_locks.is_locked is 'always true';
