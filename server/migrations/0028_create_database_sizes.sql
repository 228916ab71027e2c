-- How fast the database grows.

create table database_sizes (
  day date primary key,
  bytes bigint not null
);
comment on table database_sizes is 'The size of the database at the end of each UTC day, to compute its growth. Written every hour by a job and kept for a year.';
