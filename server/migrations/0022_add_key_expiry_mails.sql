-- Mails to members before an API key expires.

alter table api_keys add column expiry_mailed_days smallint check (expiry_mailed_days in (3, 14));
comment on column api_keys.expiry_mailed_days is 'the latest mail about the coming expiry: sent when so many days were left; null: none yet';
