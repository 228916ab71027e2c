-- The appearance of an account on hosted pages and in mails, the outcome of a connection, and the language of a person.

alter table accounts
  add column display_name text check (length(display_name) between 1 and 100),
  add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  add column privacy_url text,
  add column support_url text;
comment on column accounts.display_name is 'the name on hosted pages and in mails; null: the name';
comment on column accounts.accent_color is 'of buttons and links on hosted pages; null: the color of the service';
comment on column accounts.privacy_url is 'the privacy policy that hosted pages link to';
comment on column accounts.support_url is 'the help page that hosted pages link to';

create table account_logos (
  account_id uuid primary key references accounts (id) on delete cascade,
  hash text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  image bytea not null check (length(image) between 1 and 65536),
  changed_at timestamptz not null
);
comment on table account_logos is 'The uploaded logos of accounts. Written by the account''s settings; an uploaded logo wins over accounts.logo_url.';
comment on column account_logos.hash is 'of the image; it is the name of the file, so that a changed logo has another URL';
create index account_logos_by_hash on account_logos (hash);

alter table authorization_requests
  alter column device_id drop not null,
  alter column provider drop not null,
  alter column app_id drop not null,
  add column outcome text,
  add column outcome_device_id uuid,
  add column result_hash bytea unique,
  add column is_popup boolean not null default false,
  add column language text;
comment on column authorization_requests.device_id is 'null, as provider and app_id: the link opens the list of providers';
comment on column authorization_requests.outcome is 'active, or why the connection failed; null until it ended';
comment on column authorization_requests.outcome_device_id is 'the device that the user returned with; null until it ended';
comment on column authorization_requests.result_hash is 'of the secret in the URL of the result page';
comment on column authorization_requests.is_popup is 'the result is posted to the window that opened the link';
comment on column authorization_requests.language is 'that the user chose on the page; null: as the browser asks';

alter table devices
  add column failure_reason text,
  add column granted_scopes text[],
  add column missing_scopes text[];
comment on column devices.failure_reason is 'why the last connection failed; null: it did not';
comment on column devices.granted_scopes is 'that the user granted at the provider; null: the provider did not report them';
comment on column devices.missing_scopes is 'that we asked for and the user did not grant; null: the provider did not report them';

alter table roster_people add column language text;
comment on column roster_people.language is 'of mails to this person; null: English';

alter table roster_members add column ended_by text check (ended_by in ('person', 'account'));
comment on column roster_members.ended_by is 'who ended sharing; only the person can undo what the person ended. Null: sharing has not ended, or ended before this was recorded';

alter table event_outbox add column reason text;
comment on column event_outbox.reason is 'of device.failed';

create or replace view account_summaries as
  select id, coalesce(display_name, name) as name, default_form from accounts;
