-- The audit log: who did what, from where, and what it changed.

alter table audit_log
  add column actor_id uuid,
  add column actor_name text check (length(actor_name) <= 254),
  add column via text check (via in ('dashboard', 'api', 'operator', 'cli', 'service')),
  add column request_id text,
  add column user_id uuid,
  add column details jsonb not null default '{}';
update audit_log set via = case when actor in ('operator', 'cli') then actor else 'service' end;
alter table audit_log alter column via set not null;
comment on table audit_log is 'Administrative actions, without health data. Written in the transaction of the action; rows about an erased user stay and hold only a hash of its id.';
comment on column audit_log.actor is 'member, api_key, operator, cli, first_start or service';
comment on column audit_log.actor_id is 'the member or the API key';
comment on column audit_log.actor_name is 'the name at that time';
comment on column audit_log.subject is 'what was changed, for example the id of a key; empty: the account';
comment on column audit_log.user_id is 'the user that the action concerned; null after its erasure';
comment on column audit_log.details is 'what changed, often as before and after; never health data';
drop index audit_log_by_account;
create index audit_log_by_account on audit_log (account_id, id);
create index audit_log_by_user on audit_log (user_id, id) where user_id is not null;
create unique index audit_log_views on audit_log (actor_id, user_id, date_trunc('hour', at at time zone 'UTC'))
  where action = 'user.viewed';
