-- The reader lists the oldest webhooks of each application, however many wait for another one.

create index provider_webhooks_by_app on provider_webhooks (provider, app_id, id);
