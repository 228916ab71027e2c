// The owner of each table: the folder or file whose SQL alone reads and writes it. `check-table-owners.ts` applies it; paths
// are relative to `server/src/`.

export const tableOwners: Readonly<Record<string, readonly string[]>> = {
  'platform/credential-version.ts': ['credential_cache_version'],
  'platform/db/': ['schema_migrations'],
  'platform/deployment.ts': ['deployment'],
  'platform/keyring/': ['data_keys', 'master_keys', 'wrapped_keys'],
  'platform/token-signer.ts': ['signing_keys'],
  'features/tenancy/members/': ['account_members', 'member_links', 'member_sessions', 'members', 'sign_in_attempts'],
  'features/tenancy/accounts/': [
    'account_environments',
    'account_logos',
    'accounts',
    'api_key_uses',
    'api_keys',
    'audit_log',
  ],
  'features/tenancy/request-log/': ['request_log'],
  'features/tenancy/usage/': ['usage_days', 'usage_hours', 'usage_minutes'],
  'features/tenancy/user-core/': ['user_zones', 'users'],
  'features/tenancy/tokens/': ['mobile_tokens'],
  'features/tenancy/sdk-sessions/': ['sdk_session_requests', 'sdk_sessions'],
  'features/store/devices/': ['devices'],
  'features/store/raw-payloads/': ['raw_payloads'],
  'features/store/samples/': ['sample_blocks'],
  'features/store/daily-store/': ['daily_months', 'device_months'],
  'features/store/session-store/': ['sleep_sessions', 'workouts'],
  'features/store/heart-rate-range/': ['observed_max_heart_rates'],
  'features/notify/events/': ['event_outbox', 'feed_events', 'feed_heads'],
  'features/notify/webhooks/': ['webhook_deliveries', 'webhooks'],
  'features/pipeline/scoring/': ['score_inputs', 'scores', 'scoring_queue'],
  'features/intake/uploads/': ['uploads'],
  'features/sandbox/sandbox-users/': ['sandbox_people'],
  'features/clouds/provider-apps/': ['provider_clients'],
  'features/clouds/provider-accounts/': ['provider_accounts', 'provider_budgets'],
  'features/clouds/subscriptions/': ['provider_webhook_registrations'],
  'features/clouds/provider-webhooks/': ['provider_webhooks'],
  'features/clouds/sync/': ['pending_changes', 'sync_log', 'sync_tasks', 'synced_devices'],
  'features/clouds/connections/': ['authorization_requests'],
  'features/operator/service/': ['processes'],
  'features/people/memberships/': ['roster_invitations', 'roster_members', 'roster_people'],
};

/** Stores that put a table name into SQL when they run, so that the check cannot read it. Each with its reason. */
export const computedTables: Readonly<Record<string, string>> = {
  'features/tenancy/usage/removal-store.ts': 'one delete for each of its own tables',
  'features/clouds/sync/store.ts': 'one delete for each of its own tables',
  'features/people/personal-export/store.ts': 'the export of a person reads every table listed in personal-tables.ts',
  'features/store/session-store/store.ts': 'sleep_sessions and workouts have the same columns and the same statements',
  'features/tenancy/usage/store.ts': 'hours are summed from minutes and days from hours by the same statement',
  'features/tenancy/user-core/directory-store.ts': 'its own from clause, USERS_BY_ID',
  'features/tenancy/user-core/store.ts': 'its own from clause, USERS_BY_ID',
};
