-- Secrets that can be rotated.

-- Links to the privacy portal carry the version of their person; raising it ends every link made before.
alter table roster_people add column link_version integer not null default 1 check (link_version > 0);
-- When new links were asked for by mail, the newest first; no more than are needed to limit them.
alter table roster_people add column link_requests timestamptz[] not null default '{}';

-- Several API keys per environment, each with a name of its own; a new key of the same name replaces the one in force.
alter table api_keys add column name text not null default 'default' check (length(name) between 1 and 100);
alter table api_keys alter column name drop default;
drop index api_keys_in_force;
create unique index api_keys_in_force on api_keys (account_id, environment, name) where revoked_at is null;
-- User tokens are not stored: those made with the key are refused from here on.
alter table api_keys add column tokens_ended_at timestamptz;

-- Which key created it, so that revoking the key can end it. Null: made before this was recorded.
alter table sdk_sessions add column created_by_key uuid;
create index sdk_sessions_by_key on sdk_sessions (created_by_key) where status <> 'revoked';
alter table mobile_tokens add column created_by_key uuid;
create index mobile_tokens_by_key on mobile_tokens (created_by_key) where consumed_at is null;
alter table webhooks add column created_by_key uuid;
create index webhooks_by_key on webhooks (created_by_key) where status = 'active';

-- The secret in the address of provider webhooks is derived from this version; the one before is taken until that time.
alter table provider_app_facts add column webhook_version integer not null default 1 check (webhook_version > 0);
alter table provider_app_facts add column previous_webhook_until timestamptz;
-- What the provider signed with before a webhook was registered anew; taken for as long.
alter table provider_app_facts add column previous_sealed_signing_secret bytea;
