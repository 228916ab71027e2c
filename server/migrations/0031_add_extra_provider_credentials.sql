alter table provider_clients add column sealed_extras bytea;
comment on column provider_clients.sealed_extras is 'credentials that the provider issues besides the client secret, as JSON';
