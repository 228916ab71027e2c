-- The team roster: people whom an account invited, and people who share their data with it.

create table roster_people (
  id uuid primary key,
  address text not null constraint roster_people_address_key unique,
  created_at timestamptz not null,
  link_version integer not null default 1 check (link_version > 0),
  link_requests timestamptz[] not null default '{}'
);
comment on table roster_people is 'Owners of mail addresses, across accounts. Written when an address is first invited.';
comment on column roster_people.address is 'normalized';
comment on column roster_people.link_version is 'links to the privacy portal contain it; a higher version ends every earlier link';
comment on column roster_people.link_requests is 'when links were requested by mail, newest first, as many as the rate limit needs';

create table roster_invitations (
  id uuid primary key,
  account_id uuid not null,
  person_id uuid not null,
  email text not null,
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
comment on table roster_invitations is 'Invitations to share data with an account. Written by the roster API and by the person who accepts.';
comment on column roster_invitations.email is 'as the account wrote it';
create unique index roster_invitations_pending on roster_invitations (account_id, person_id) where status = 'pending';
create index roster_invitations_of_person on roster_invitations (person_id);
-- Each new invitation counts the recent ones of its account.
create index roster_invitations_of_account on roster_invitations (account_id, created_at);

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
comment on table roster_members is 'People who share their data with an account: one address is one member, and one user belongs to one person. Written when an invitation is accepted and when a member is archived or removed.';
create unique index roster_members_of_account on roster_members (account_id, person_id) where status <> 'removed';
create unique index roster_members_of_user on roster_members (user_id) where status <> 'removed';
create index roster_members_newest_first on roster_members (account_id, status, joined_at desc, id desc);
create index roster_members_of_person on roster_members (person_id);
create index roster_members_by_user on roster_members (user_id);
