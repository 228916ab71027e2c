-- On Citus an upload then changes no row of sdk_sessions, which is on another node than the user's data.

create table session_uploads (
  user_id uuid not null,
  session_id uuid not null,
  uploaded_at timestamptz not null,
  primary key (user_id, session_id)
);
comment on table session_uploads is 'When a phone last uploaded, by SDK session. Distributed with the health data.';
insert into session_uploads (user_id, session_id, uploaded_at)
  select user_id, id, last_upload_at from sdk_sessions where last_upload_at is not null;
comment on column sdk_sessions.last_upload_at is 'of versions before session_uploads; no longer written';
