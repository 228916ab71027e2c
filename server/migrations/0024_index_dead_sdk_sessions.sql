-- The hourly removal of SDK sessions reads only those that can no longer be used.

create index sdk_sessions_by_expiry on sdk_sessions (greatest(client_expires_at, refresh_expires_at));
create index sdk_sessions_revoked on sdk_sessions (greatest(created_at, activated_at)) where status = 'revoked';
