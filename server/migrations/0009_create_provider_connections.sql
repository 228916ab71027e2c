-- How a user's account at a cloud provider is connected.

create table authorization_requests (
  secret_hash bytea primary key,
  user_id uuid not null,
  device_id uuid not null,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  provider text not null,
  app_id text not null,
  redirect_url text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  state_hash bytea unique,
  browser_hash bytea,
  sealed_state bytea,
  finished_at timestamptz
);
comment on table authorization_requests is 'OAuth authorization requests, from the link to the hosted consent page until the provider redirects back. Written by the connections API and the hosted pages.';
comment on column authorization_requests.secret_hash is 'of the secret in the link';
comment on column authorization_requests.decided_at is 'when the user agreed or declined; only one decision counts';
comment on column authorization_requests.state_hash is 'of the OAuth state; null until the user agreed';
comment on column authorization_requests.browser_hash is 'of the cookie of the browser in which the user agreed';
comment on column authorization_requests.sealed_state is 'OAuth state and PKCE verifier, bound to this row; a second click redirects to the same URL';
comment on column authorization_requests.finished_at is 'when the provider redirected back; it can do so once';
create index authorization_requests_of_device on authorization_requests (user_id, device_id);
create index authorization_requests_by_expiry on authorization_requests (expires_at);

create table provider_accounts (
  user_id uuid not null,
  device_id uuid not null,
  account_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  provider text not null,
  app_id text not null,
  provider_user_id text not null,
  scopes text[],
  sealed_tokens bytea not null,
  tokens_expire_at timestamptz,
  token_version integer not null default 0,
  connected_at timestamptz not null,
  refreshing_until timestamptz,
  refused_at timestamptz,
  primary key (user_id, device_id)
);
comment on table provider_accounts is 'Connected accounts at providers, with their tokens. Written when an account is connected and when its tokens are refreshed. Several users can connect the same provider account.';
comment on column provider_accounts.app_id is 'of the application at the provider; the tokens are valid only for it';
comment on column provider_accounts.scopes is 'null: the provider did not report them';
comment on column provider_accounts.sealed_tokens is 'bound to this row';
comment on column provider_accounts.tokens_expire_at is 'null: never, or not known';
comment on column provider_accounts.token_version is 'grows with every token pair, so that a process sees whether another one has refreshed';
comment on column provider_accounts.refreshing_until is 'one process refreshes; the others wait until this time';
comment on column provider_accounts.refused_at is 'the provider rejected the tokens for good; only the user can connect again';
create index provider_accounts_by_person on provider_accounts (provider, app_id, provider_user_id);

create table provider_clients (
  account_id uuid not null references accounts (id),
  provider text not null,
  app_id text not null,
  client_id text not null,
  sealed_secret bytea not null,
  created_at timestamptz not null,
  primary key (account_id, provider)
);
comment on table provider_clients is 'OAuth clients that customers registered at providers themselves; the operator''s clients are settings. Written by the operator.';
create index provider_clients_by_app on provider_clients (provider, app_id);
