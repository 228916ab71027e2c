-- A recovery sends deliveries that were given up, and not those that were cancelled because their API key was revoked.

alter table webhook_deliveries add column is_cancelled boolean not null default false;
comment on column webhook_deliveries.is_cancelled is 'failed because the API key of the webhook was revoked, or the webhook deleted';
