-- Accounts can be closed, reopened and deleted.

alter table accounts add column deleting_at timestamptz;
alter table accounts add constraint accounts_deleting check (deleting_at is null or closed_at is not null);
comment on column accounts.deleting_at is 'the account is deleted and its name is free; a job erases its users and rows';

alter table accounts drop constraint accounts_name_key;
create unique index accounts_name_key on accounts (name) where deleting_at is null;
create index accounts_closed on accounts (id) where closed_at is not null;

create or replace view account_access as
  select id, name, billing_status, default_form, closed_at from accounts where deleting_at is null;

create view closed_accounts as
  select id from accounts where closed_at is not null;
comment on view closed_accounts is 'Accounts for which nothing is synced, delivered or generated. Owned by accounts.';
