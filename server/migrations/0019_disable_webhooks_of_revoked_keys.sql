-- Webhooks of a revoked key have a reason of their own: unlike paused ones they hold no deliveries.
alter table webhooks drop constraint webhooks_disabled_reason_check;
alter table webhooks add constraint webhooks_disabled_reason_check check (disabled_reason in ('paused', 'gone', 'failing', 'key_revoked'));
-- A key is revoked with all its webhooks, the disabled ones too.
drop index webhooks_by_key;
create index webhooks_by_key on webhooks (created_by_key);
