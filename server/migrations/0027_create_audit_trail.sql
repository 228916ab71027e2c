-- A chained, append-only trail of administrative acts and reads of health data.

create table audit_inbox (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  user_id uuid,
  entry jsonb not null
);
comment on table audit_inbox is 'Entries that are not chained yet. Written with the act, or in batches for reads; a background loop moves them to audit_trail within seconds.';
comment on column audit_inbox.user_id is 'the user that the entry concerns; null: none, or the entry names it by hash already';
comment on column audit_inbox.entry is 'who, which credential, which action, which resource; never values';
create index audit_inbox_by_user on audit_inbox (user_id) where user_id is not null;

create table audit_trail (
  position bigint primary key,
  at timestamptz not null,
  entry text not null,
  hash bytea not null
);
comment on table audit_trail is 'Who did what and who read whose health data. Append-only; each hash covers the entry and the hash before it. Written by the audit loop.';
comment on column audit_trail.position is 'without gaps';
comment on column audit_trail.entry is 'JSON text, as it was hashed; accounts, members and users are named by keyed hashes';
comment on column audit_trail.hash is 'keyed hash of the hash before, the position, the time and the entry';
create index audit_trail_by_time on audit_trail (at);

create table audit_marks (
  kind text primary key check (kind in ('head', 'cut')),
  position bigint not null,
  hash bytea not null,
  signature bytea not null
);
comment on table audit_marks is 'The last entry of audit_trail, and the last one that its retention has removed, both signed. Written with the entries.';

create table audit_salts (
  user_id uuid primary key,
  salt bytea not null
);
comment on table audit_salts is 'Makes the hash that names a user in audit_trail. Deleted with the user: nobody can compute the name again.';

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if current_setting('tributary.audit_cut', true) = 'on' then
    return old;
  end if;
  raise exception 'audit_trail is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_trail_rows before update or delete on audit_trail for each row execute function refuse_audit_change();
create trigger audit_trail_table before truncate on audit_trail for each statement execute function refuse_audit_change();

create function cut_audit_trail(last_removed bigint) returns bigint language plpgsql as $$
declare
  removed bigint;
begin
  perform set_config('tributary.audit_cut', 'on', true);
  delete from audit_trail where position <= last_removed;
  get diagnostics removed = row_count;
  perform set_config('tributary.audit_cut', 'off', true);
  return removed;
end $$;
