-- Members: the people who sign in to the dashboard, their accounts, sessions and one-time links.

alter table accounts add column closed_at timestamptz;
comment on column accounts.closed_at is 'since then the API rejects the keys, tokens and SDK sessions of the account, its clouds are not synced, and members can only read; null: open';

create view account_access as
  select id, name, billing_status, default_form, closed_at from accounts;
comment on view account_access is 'What decides whether and how a caller of an account is served. Owned by accounts.';

create table members (
  id uuid primary key,
  email text not null constraint members_email_key unique check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 100),
  password_hash text not null,
  sealed_totp bytea,
  totp_confirmed_at timestamptz,
  totp_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  is_operator boolean not null default false,
  created_at timestamptz not null
);
comment on table members is 'People who sign in to the dashboard. A member belongs to at least one account. Written by the member and by owners.';
comment on column members.password_hash is 'argon2id with its parameters and salt, in the PHC format';
comment on column members.sealed_totp is 'the TOTP secret, bound to this row; asked for at sign-in only after totp_confirmed_at';
comment on column members.totp_step is 'the last time step whose code was used; a code of this or an earlier step is rejected';
comment on column members.recovery_hashes is 'SHA-256 of the recovery codes that were not used yet';
comment on column members.is_operator is 'may see the service page of the deployment; granted by the command line';

create table account_members (
  account_id uuid not null references accounts (id),
  member_id uuid not null references members (id),
  role text not null check (role in ('viewer', 'developer', 'owner')),
  created_at timestamptz not null,
  primary key (account_id, member_id)
);
comment on table account_members is 'The accounts of each member, and what the member may do there. Written by owners.';
create index account_members_by_member on account_members (member_id);

create table member_sessions (
  id uuid primary key,
  token_hash bytea not null constraint member_sessions_token_key unique,
  member_id uuid not null references members (id) on delete cascade,
  account_id uuid not null references accounts (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  confirmed_until timestamptz,
  user_agent text check (length(user_agent) <= 200),
  address text check (length(address) <= 64)
);
comment on table member_sessions is 'Sessions of the dashboard, as hashes of their cookies. Written at sign-in; a change of right replaces the session.';
comment on column member_sessions.account_id is 'the account that the dashboard shows';
comment on column member_sessions.created_at is 'when the member signed in; kept when the session is replaced, so that no session lives longer than 30 days';
comment on column member_sessions.last_used_at is 'at most a minute behind';
comment on column member_sessions.confirmed_until is 'until then the member need not enter the password again for critical actions';
comment on column member_sessions.address is 'the network address at sign-in';
create index member_sessions_by_member on member_sessions (member_id);
create index member_sessions_by_use on member_sessions (last_used_at);

create table member_links (
  id uuid primary key,
  secret_hash bytea not null constraint member_links_secret_key unique,
  kind text not null check (kind in ('welcome', 'join', 'reset')),
  account_id uuid references accounts (id),
  member_id uuid references members (id) on delete cascade,
  email text,
  role text check (role in ('viewer', 'developer', 'owner')),
  created_by text not null check (length(created_by) between 1 and 100),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint member_links_target check (
    case kind when 'reset' then member_id is not null
      when 'join' then account_id is not null and email is not null and role is not null
      else account_id is not null end)
);
comment on table member_links is 'One-time links, as hashes: welcome creates an owner of an account, join accepts an invitation, reset sets a new password. Using a link deletes its row.';
comment on column member_links.created_by is 'the id of a member, or cli, operator, first_start';
create index member_links_by_account on member_links (account_id, kind);
create index member_links_by_member on member_links (member_id);

create table sign_in_attempts (
  subject bytea primary key,
  failures integer not null check (failures >= 0),
  started_at timestamptz not null,
  retry_at timestamptz not null
);
comment on table sign_in_attempts is 'Failed sign-ins by address and by email, as hashes. Counted before the password is checked, so that parallel attempts count as well; removed after an hour.';
comment on column sign_in_attempts.started_at is 'the first failure of the current 15 minutes';
comment on column sign_in_attempts.retry_at is 'attempts before this time are rejected';
create index sign_in_attempts_by_time on sign_in_attempts (started_at);
