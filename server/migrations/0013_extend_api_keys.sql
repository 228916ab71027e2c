-- API keys: who created a key, when a replaced key stops working, and when it was last used.

alter table api_keys
  add column created_by text not null default 'operator' check (length(created_by) between 1 and 100),
  add column ends_at timestamptz,
  add column replaced_by uuid,
  add column expiry_warned_on date;
update api_keys set ends_at = revoked_at;
alter table api_keys alter column created_by drop default;
alter table api_keys add constraint api_keys_end check ((revoked_at is null) = (ends_at is null));
comment on table api_keys is 'API keys as hashes. Written by the operator; a rotation revokes the key that it replaces, at once or after an overlap.';
comment on column api_keys.created_by is 'operator, cli or first_start';
comment on column api_keys.revoked_at is 'when the key was revoked or replaced, or when its overlap was ended early; its name is free';
comment on column api_keys.ends_at is 'from then on the key is rejected. Equal to revoked_at: rejected whatever the clock of a process says; later: replaced with an overlap';
comment on column api_keys.replaced_by is 'the newest key of the rotations that replaced this one; null: revoked without a replacement, or not revoked';
comment on column api_keys.expiry_warned_on is 'the UTC day of the last log line about the coming expiry';
create index api_keys_by_environment on api_keys (account_id, environment);
create index api_keys_by_expiry on api_keys (expires_at) where revoked_at is null;

create table api_key_uses (
  key_id uuid primary key references api_keys (id) on delete cascade,
  used_at timestamptz not null,
  user_agent text check (length(user_agent) <= 200)
);
comment on table api_key_uses is 'The last use of each API key. Written by every API process, at most every 30 seconds; a separate table, so that the write never waits for a request that has locked its key.';
comment on column api_key_uses.user_agent is 'the User-Agent header of that request, shortened; null: it had none';
