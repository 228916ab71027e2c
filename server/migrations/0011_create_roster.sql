-- The team roster: who was invited, who shares. Tables of accounts and of mail addresses, beside users on the coordinator.

-- `unshared`: the person left the roster. Nobody of the account finds the user; the data stays with the person.
alter table users drop constraint users_status_check;
alter table users add constraint users_status_check check (status in ('active', 'unshared', 'deleting'));
alter table users add column unshared_at timestamptz;
alter table users add check (status <> 'unshared' or unshared_at is not null);
create index users_unshared on users (unshared_at) where status = 'unshared';

-- Whoever left keeps the reference, so that it is the same after a return.
drop index users_reference_in_use;
create unique index users_reference_in_use on users (account_id, environment, reference_id) where status in ('active', 'unshared');

-- Whoever reads the mail of an address, in whichever accounts. Links to their own page are made of the id.
create table roster_people (
  id uuid primary key,
  address text not null constraint roster_people_address_key unique,   -- normalized
  created_at timestamptz not null
);

create table roster_invitations (
  id uuid primary key,
  account_id uuid not null,
  person_id uuid not null,
  email text not null,                         -- as it was written
  name text,
  external_ref text,
  message text,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  member_id uuid,
  check ((status = 'accepted') = (member_id is not null))
);
create unique index roster_invitations_pending on roster_invitations (account_id, person_id) where status = 'pending';
create index roster_invitations_of_person on roster_invitations (person_id);

create table roster_members (
  id uuid primary key,
  account_id uuid not null,
  person_id uuid not null,
  user_id uuid not null,
  name text,
  email text not null,
  status text not null default 'active' check (status in ('active', 'archived', 'removed')),
  joined_at timestamptz not null,
  removed_at timestamptz,
  check ((status = 'removed') = (removed_at is not null))
);
-- One address is one member, one user is one person's.
create unique index roster_members_of_account on roster_members (account_id, person_id) where status <> 'removed';
create unique index roster_members_of_user on roster_members (user_id) where status <> 'removed';
create index roster_members_newest_first on roster_members (account_id, status, joined_at desc, id desc);
create index roster_members_of_person on roster_members (person_id);
create index roster_members_by_user on roster_members (user_id);
