-- Routes and laps of workouts, which an account keeps only if it says so, because positions are sensitive.

alter table accounts add column keep_routes boolean not null default false;
comment on column accounts.keep_routes is 'routes and laps of workouts are stored; otherwise they are dropped';

create table workout_routes (
  user_id uuid not null,
  device smallint not null,
  key text not null,
  route bytea,
  laps bytea,
  primary key (user_id, device, key)
);
comment on table workout_routes is 'Positions and laps of workouts. Written and deleted with the workout of the same device and key; emptied when the account stops keeping routes.';
comment on column workout_routes.key is 'as in workouts';
comment on column workout_routes.route is 'times, latitudes, longitudes and elevations, packed and compressed; null: none reported';
comment on column workout_routes.laps is 'JSON, compressed; null: none reported';
alter table workout_routes alter column route set storage external;
alter table workout_routes alter column laps set storage external;
