// Lists every table of the database and how the export handles it. A test fails for a table that is missing here, so that
// no new table is forgotten.

export type ExportedTable = {
  readonly table: string;
  /** The name of the section in the export. */
  readonly section: string;
  readonly description: string;
  /** The column that identifies the owner of a row. */
  readonly owner: 'id' | 'user_id' | 'person_id';
  /** Unique within the owner; rows are read in its order. */
  readonly key: readonly string[];
  /** Omitted columns with the reason. All other columns are exported, including columns that are added later. */
  readonly omitted?: Readonly<Record<string, string>>;
  /** Large rows are read in smaller pages. */
  readonly hasLargeRows?: boolean;
};

/** Tables about a person, across organizations. */
export const PERSON_TABLES: readonly ExportedTable[] = [
  {
    table: 'roster_people',
    section: 'person',
    description: 'The mail address that invitations were sent to.',
    owner: 'id',
    key: ['id'],
  },
  {
    table: 'roster_invitations',
    section: 'invitations',
    description: 'Invitations from organizations, with the name, reference and message they wrote.',
    owner: 'person_id',
    key: ['id'],
  },
  {
    table: 'roster_members',
    section: 'memberships',
    description: 'The organizations that data is or was shared with, and since when.',
    owner: 'person_id',
    key: ['id'],
  },
];

/** Tables about one user that are exported row by row. For packed tables see DECODED_TABLES. */
export const USER_TABLES: readonly ExportedTable[] = [
  {
    table: 'users',
    section: 'profile',
    description: 'Reference, profile, metadata, settings (consolidation) and status, as the organization stored them.',
    owner: 'id',
    key: ['id'],
  },
  {
    table: 'user_zones',
    section: 'time_zones',
    description: 'The time zone that days are counted in.',
    owner: 'user_id',
    key: ['valid_from'],
  },
  {
    table: 'devices',
    section: 'devices',
    description: 'Every data source with its names and identifiers. Other sections refer to "number" as "device".',
    owner: 'user_id',
    key: ['id'],
  },
  {
    table: 'provider_accounts',
    section: 'connections',
    description: 'Accounts at cloud providers: their id at the provider and the permissions granted.',
    owner: 'user_id',
    key: ['device_id'],
    omitted: { sealed_tokens: 'a credential: it gives access to the account at the provider' },
  },
  {
    table: 'authorization_requests',
    section: 'authorization_requests',
    description: 'Connections to a provider that were started but not finished.',
    owner: 'user_id',
    key: ['secret_hash'],
    omitted: {
      secret_hash: 'a credential: the hash of the link that opens the connection page',
      state_hash: 'a credential: the hash of the OAuth state',
      browser_hash: 'a credential: the hash of the cookie that binds the connection to a browser',
      sealed_state: 'a credential: the sealed OAuth state and verifier',
      result_hash: 'a credential: the hash of the link to the result page',
    },
  },
  {
    table: 'sdk_sessions',
    section: 'sdk_sessions',
    description: 'Phones that are allowed to upload: installation, platform, sources and scopes.',
    owner: 'user_id',
    key: ['id'],
  },
  {
    table: 'session_uploads',
    section: 'session_uploads',
    description: 'When each of these phones last uploaded.',
    owner: 'user_id',
    key: ['session_id'],
  },
  {
    table: 'sdk_session_requests',
    section: 'sdk_session_requests',
    description: 'Requests for an SDK session, kept for one day so that a repeated request gets the same response.',
    owner: 'user_id',
    key: ['idempotency_key'],
  },
  {
    table: 'mobile_tokens',
    section: 'mobile_tokens',
    description: 'Short-lived tokens for a phone: when they were issued and used.',
    owner: 'user_id',
    key: ['secret_hash'],
    omitted: { secret_hash: 'a credential: the hash of the token' },
  },
  {
    table: 'uploads',
    section: 'uploads',
    description: 'Receipts of uploads: when they were received and the response.',
    owner: 'user_id',
    key: ['upload_id'],
    hasLargeRows: true,
  },
  {
    table: 'synced_devices',
    section: 'sync_state',
    description: 'How far data was fetched from each cloud provider.',
    owner: 'user_id',
    key: ['device_id'],
  },
  {
    table: 'sync_tasks',
    section: 'sync_tasks',
    description:
      'Data still to be fetched from a provider, or received from it and not processed yet ("body", hexadecimal).',
    owner: 'user_id',
    key: ['id'],
    hasLargeRows: true,
  },
  {
    table: 'sync_log',
    section: 'sync_log',
    description: 'The syncs of the last 30 days: when, how many records, which metrics and days, and what failed.',
    owner: 'user_id',
    key: ['id'],
  },
  {
    table: 'pending_changes',
    section: 'sync_changes',
    description: 'Changes made by a sync for which no event has been emitted yet.',
    owner: 'user_id',
    key: ['device_id'],
  },
  {
    table: 'score_inputs',
    section: 'score_inputs',
    description: 'The values that scores were computed from, per day.',
    owner: 'user_id',
    key: ['date', 'is_hidden'],
    hasLargeRows: true,
  },
  {
    table: 'scoring_queue',
    section: 'scoring_state',
    description: 'Days that wait to be scored.',
    owner: 'user_id',
    key: ['user_id'],
  },
  {
    table: 'observed_max_heart_rates',
    section: 'heart_rate_maxima',
    description: 'The highest heart rate of each day in bpm, used to set heart-rate zones.',
    owner: 'user_id',
    key: ['date'],
  },
  {
    table: 'sandbox_people',
    section: 'sandbox_state',
    description: 'Until which day a sandbox user has generated data.',
    owner: 'user_id',
    key: ['user_id'],
  },
  {
    table: 'feed_events',
    section: 'events',
    description: 'Events that the organization can read: which metrics changed on which days, never the values.',
    owner: 'user_id',
    key: ['account_id', 'environment', 'position'],
  },
  {
    table: 'event_outbox',
    section: 'events_waiting',
    description: 'Events that have not been published yet.',
    owner: 'user_id',
    key: ['id'],
  },
  {
    table: 'webhook_deliveries',
    section: 'webhook_deliveries',
    description: "Events sent to the organization's systems, with every attempt.",
    owner: 'user_id',
    key: ['webhook_id', 'id'],
    hasLargeRows: true,
  },
  {
    table: 'audit_log',
    section: 'audit_log',
    description: 'Who in the organization looked at your data or changed your settings, and when.',
    owner: 'user_id',
    key: ['id'],
  },
];

/** Packed tables and the sections with their decoded content. */
export const DECODED_TABLES: Readonly<Record<string, { readonly section: string; readonly description: string }>> = {
  sample_blocks: {
    section: 'normalized.samples',
    description:
      'Every measurement of every device, as the device sent it: "samples" are [start, end, value] in the given unit.',
  },
  device_months: {
    section: 'normalized.daily',
    description: 'The value of each day per device: reported by the device, or computed from its samples or sessions.',
  },
  sleep_sessions: {
    section: 'normalized.sleep',
    description:
      'Every sleep of every device with its stages. "duplicate_of" is the id of the canonical sleep that replaces it, or its own id if there is none.',
  },
  workouts: {
    section: 'normalized.workouts',
    description:
      'Every workout of every device with its heart-rate trace ([time, bpm]) and zones. "duplicate_of" has the same meaning as for sleep.',
  },
  workout_routes: {
    section: 'normalized.workouts',
    description: 'In each workout: "route" ([time, latitude, longitude, elevation in m]) and "laps".',
  },
  scores: {
    section: 'scores',
    description:
      'Scores per day with their factors and inputs. "stress_series" is the computed stress: [quarter hour since 1970, stress].',
  },
  daily_months: {
    section: 'canonical',
    description:
      'Per month, as the API returns it: one value per metric and day, consolidated sleep, workouts, scores and samples.',
  },
  request_blocks: {
    section: 'api_requests',
    description: "Calls of the organization's programs that concern you: when, which endpoint and its result.",
  },
  raw_payloads: {
    section: 'raw_payloads',
    description: 'Uploads and provider responses exactly as they were received. Null unless requested.',
  },
};

/** Tables without personal data, or whose personal data is elsewhere in the export. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  account_environments: 'limits and usage of an organization',
  account_members: 'employees of the organization',
  account_logos: 'the logo of an organization',
  accounts: 'the organization; its name is in the export',
  audit_inbox: 'entries of the audit trail that are not chained yet; processed within seconds',
  audit_marks: 'one position of the audit trail',
  audit_salts: 'random bytes; without them the audit trail names nobody',
  audit_trail: 'who read or changed data, by keyed hash; what concerns a person is in the audit log of the export',
  api_key_uses: 'when programs of the organization last used their credentials',
  api_keys: 'credentials of the organization',
  data_locks: 'only ids of users, so that changes of one user wait for each other',
  job_runners: 'the workers of the deployment',
  processes: 'the running processes of the deployment',
  credential_cache_version: 'one number for the deployment',
  database_sizes: 'one number per day for the deployment',
  data_keys: 'keys of the deployment',
  deployment: 'one id for the deployment',
  feed_heads: 'one position per feed of an organization',
  master_keys: 'keys of the deployment',
  member_links: 'one-time links for employees of the organization',
  member_sessions: 'sessions of employees of the organization',
  members: 'employees of the organization, who sign in to the dashboard; they are not users',
  provider_webhook_registrations: 'applications at providers, and their secrets',
  provider_budgets: 'request counters by a hash of the provider account; removed after at most one day',
  provider_clients: 'applications at providers, and their secrets',
  provider_webhooks: 'provider webhooks that are not yet assigned to a user; processed within seconds',
  rate_buckets: 'rate limits by a hash of the credential or address; removed within minutes',
  schema_migrations: 'versions of the schema',
  sign_in_attempts: 'failed sign-ins to the dashboard by hash; removed after an hour',
  signing_keys: 'keys of the deployment',
  usage_days: 'how much an organization uses the service',
  usage_hours: 'how much an organization uses the service',
  usage_minutes: 'how much an organization uses the service',
  webhooks: 'endpoints of the organization',
  wrapped_keys: 'keys of the deployment',
};
