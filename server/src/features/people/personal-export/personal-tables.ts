// Every table of the database, and what the export does with it. A table that is in neither list fails the test of the export,
// so that nobody adds one and forgets the person it is about.

export type ExportedTable = {
  readonly table: string;
  /** Name in the export. */
  readonly section: string;
  readonly description: string;
  /** The column that says whose row it is. */
  readonly owner: 'id' | 'user_id' | 'person_id';
  /** Unique within the owner; rows are read in its order. */
  readonly key: readonly string[];
  /** Columns that are left out, with the reason. All others are exported, also those that are added later. */
  readonly omitted?: Readonly<Record<string, string>>;
  /** Its rows can be large, so fewer are read at a time. */
  readonly hasLargeRows?: boolean;
};

/** About the person behind an address, whichever organization knows them. */
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
    description: 'Invitations of organizations, with the name, reference and message they wrote.',
    owner: 'person_id',
    key: ['id'],
  },
  {
    table: 'roster_members',
    section: 'memberships',
    description: 'With which organization data is or was shared, and since when.',
    owner: 'person_id',
    key: ['id'],
  },
];

/** About one user, as rows. What is packed is in DECODED_TABLES. */
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
    description: 'Every source of data with its names and identifiers. "number" is what other sections call "device".',
    owner: 'user_id',
    key: ['id'],
  },
  {
    table: 'provider_accounts',
    section: 'connections',
    description: 'Accounts at cloud providers: their id there, and what they were allowed to share.',
    owner: 'user_id',
    key: ['device_id'],
    omitted: { sealed_tokens: 'a credential: whoever has it can read the account at the provider' },
  },
  {
    table: 'authorization_requests',
    section: 'authorization_requests',
    description: 'Connections to a provider that were begun and not finished.',
    owner: 'user_id',
    key: ['secret_hash'],
    omitted: {
      secret_hash: 'a credential: the hash of the link that opens the connection page',
      state_hash: 'a credential: the hash of the OAuth state',
      browser_hash: 'a credential: the hash of the cookie that binds the connection to a browser',
      sealed_state: 'a credential: the sealed OAuth state and verifier',
    },
  },
  {
    table: 'sdk_sessions',
    section: 'sdk_sessions',
    description: 'Phones that may upload: installation, platform, sources and scopes.',
    owner: 'user_id',
    key: ['id'],
  },
  {
    table: 'sdk_session_requests',
    section: 'sdk_session_requests',
    description: 'Requests for an SDK session, kept a day so that a repeated one gets the same answer.',
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
    description: 'Receipts of uploads: when they came, and what was answered.',
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
    description: 'What is still to be fetched from a provider, or was sent by it and waits ("body", hexadecimal).',
    owner: 'user_id',
    key: ['id'],
    hasLargeRows: true,
  },
  {
    table: 'pending_changes',
    section: 'sync_changes',
    description: 'Changes by a sync that no event has reported yet.',
    owner: 'user_id',
    key: ['device_id'],
  },
  {
    table: 'scores',
    section: 'scores',
    description: 'Scores by day in tenths, with the factors behind them and the computed stress.',
    owner: 'user_id',
    key: ['date'],
    hasLargeRows: true,
  },
  {
    table: 'score_inputs',
    section: 'score_inputs',
    description: 'What scores were computed from, by day.',
    owner: 'user_id',
    key: ['date', 'is_hidden'],
    hasLargeRows: true,
  },
  {
    table: 'scoring_queue',
    section: 'scoring_state',
    description: 'Days whose scores are still to be computed.',
    owner: 'user_id',
    key: ['user_id'],
  },
  {
    table: 'observed_max_heart_rates',
    section: 'heart_rate_maxima',
    description: 'The highest heart rate of each day, in bpm, by which zones are set.',
    owner: 'user_id',
    key: ['date'],
  },
  {
    table: 'sandbox_people',
    section: 'sandbox_state',
    description: 'How far the made-up data of a sandbox user goes.',
    owner: 'user_id',
    key: ['user_id'],
  },
  {
    table: 'feed_events',
    section: 'events',
    description: 'Notifications that the organization can read: which metrics of which days changed, never the values.',
    owner: 'user_id',
    key: ['account_id', 'environment', 'position'],
  },
  {
    table: 'event_outbox',
    section: 'events_waiting',
    description: 'Events that are not published yet.',
    owner: 'user_id',
    key: ['id'],
  },
  {
    table: 'webhook_deliveries',
    section: 'webhook_deliveries',
    description: "Events that were sent to the organization's systems, with each attempt.",
    owner: 'user_id',
    key: ['webhook_id', 'id'],
    hasLargeRows: true,
  },
];

/** Packed tables, and the sections that their content is in. */
export const DECODED_TABLES: Readonly<Record<string, { readonly section: string; readonly description: string }>> = {
  sample_blocks: {
    section: 'normalized.samples',
    description:
      'Every measurement of every device: "samples" are [start, end, value] in the given unit, as the device sent them.',
  },
  device_months: {
    section: 'normalized.daily',
    description: 'The value of each day by device: stated by it, or computed from its samples or sessions.',
  },
  sleep_sessions: {
    section: 'normalized.sleep',
    description:
      'Every sleep of every device with its stages. "duplicate_of" names the one that is shown in its place, or itself if none is.',
  },
  workouts: {
    section: 'normalized.workouts',
    description:
      'Every workout of every device with its heart-rate trace ([time, bpm]) and zones. "duplicate_of" as with sleep.',
  },
  daily_months: {
    section: 'canonical',
    description:
      'By month, as the API answers it: one value per metric and day, consolidated sleep, workouts, scores and samples.',
  },
  raw_payloads: {
    section: 'raw_payloads',
    description: 'Uploads and answers of providers exactly as they came. Null unless asked for.',
  },
};

/** Tables that hold nothing about a person, or nothing that the person does not have elsewhere in the export. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  account_environments: 'limits and counts of an organization',
  accounts: 'the organization; its name is in the export',
  api_keys: 'credentials of the organization',
  audit_log: 'a hash of the id of an erased user: there is no export of an erased user',
  credential_cache_version: 'one number for the deployment',
  data_keys: 'keys of the deployment',
  deployment: 'one id for the deployment',
  feed_heads: 'one position for each feed of an organization',
  master_keys: 'keys of the deployment',
  provider_webhook_registrations: 'applications at providers, and their secrets',
  provider_budgets: 'counters of requests, by a hash of the provider account; they end after a day at the latest',
  provider_clients: 'applications at providers, and their secrets',
  provider_webhooks: 'webhooks of providers before it is known whom they are about; they are read within seconds',
  schema_migrations: 'versions of the schema',
  signing_keys: 'keys of the deployment',
  webhooks: 'endpoints of the organization',
  wrapped_keys: 'keys of the deployment',
};
