-- Views for joins by features that do not own the tables behind them. Each selects what others may rely on; its owner keeps
-- the condition in one place. Nobody writes through a view.

create view account_summaries as
  select id, name, default_form from accounts;
comment on view account_summaries is 'What other features may know of an account in a join. Owned by accounts.';

create view active_users as
  select id, account_id, environment from users where status = 'active';
comment on view active_users is 'Users that their account can read. Credentials are valid only for these. Owned by user-core.';

create view kept_users as
  select id, status, reference_id, last_sync_at from users where status in ('active', 'unshared');
comment on view kept_users is 'Users that the person behind them can read: active, or no longer shared with the account. Owned by user-core.';

create view open_sdk_sessions as
  select id, user_id, created_at from sdk_sessions where status <> 'revoked';
comment on view open_sdk_sessions is 'SDK sessions that are not revoked. Owned by sdk-sessions.';

create view event_bodies as
  select account_id, environment, position, body from feed_events;
comment on view event_bodies is 'The texts of events by their position in the feed, for deliveries. Owned by events.';
