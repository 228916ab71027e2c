// Answers of the API for the pages of keys and settings.

const NOW = Date.now();
const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const KEYS = {
  data: [
    {
      id: '01a1e04c-0000-7000-8000-0000000000a1',
      name: 'Backend',
      last_four: 'UZIM',
      created_at: at(-3 * DAY),
      created_by: 'Mara Klein',
      expires_at: at(87 * DAY),
      last_used_at: at(-4_000),
      last_used_agent: 'node-fetch',
      ends_at: null,
      requests_24h: 20_512,
    },
    {
      id: '01a1e04c-0000-7000-8000-0000000000a2',
      name: 'Reports',
      last_four: '7Mqn',
      created_at: at(-80 * DAY),
      created_by: null,
      expires_at: at(10 * DAY),
      last_used_at: null,
      last_used_agent: null,
      ends_at: null,
      requests_24h: 0,
    },
    {
      id: '01a1e04c-0000-7000-8000-0000000000a3',
      name: 'Backend',
      last_four: 'k2Vd',
      created_at: at(-60 * DAY),
      created_by: 'Mara Klein',
      expires_at: at(30 * DAY),
      last_used_at: at(-2 * HOUR),
      last_used_agent: 'node-fetch',
      ends_at: at(22 * HOUR),
      requests_24h: 311,
    },
  ],
};

export const NEW_KEY = {
  id: '01a1e04c-0000-7000-8000-0000000000a4',
  name: 'Mobile backend',
  key: 'sk_sandbox_3yQm9XcT4kLr8ZbN2vHs6WpE1dGf5JaK7uRxYoTq',
};

export const ACCOUNT = {
  id: '01a1e04c-0000-7000-8000-000000000002',
  name: 'fitcoach',
  display_name: 'Fitcoach',
  logo_url: null,
  accent_color: '#7a3ff2',
  privacy_url: 'https://fitcoach.example/privacy',
  support_url: 'mailto:help@fitcoach.example',
  default_form: 1,
  redirect_schemes: ['fitcoach'],
  billing_status: 'active',
  created_at: at(-200 * DAY),
  closed_at: null as string | null,
  usage: [
    { environment: 'live', user_count: 1_204, user_limit: null },
    { environment: 'sandbox', user_count: 6, user_limit: 100 },
  ],
};

export const TEAM = {
  members: [
    {
      id: '01a1e04c-0000-7000-8000-000000000001',
      name: 'Mara Klein',
      email: 'mara@fitcoach.example',
      role: 'owner',
      is_operator: false,
      has_totp: true,
      joined_at: at(-90 * DAY),
      last_seen_at: at(-5_000),
    },
    {
      id: '01a1e04c-0000-7000-8000-000000000011',
      name: 'Jonas Weber',
      email: 'jonas@fitcoach.example',
      role: 'developer',
      is_operator: false,
      has_totp: false,
      joined_at: at(-30 * DAY),
      last_seen_at: at(-26 * HOUR),
    },
    {
      id: '01a1e04c-0000-7000-8000-000000000012',
      name: 'Aiko Tanaka',
      email: 'aiko@fitcoach.example',
      role: 'viewer',
      is_operator: false,
      has_totp: false,
      joined_at: at(-10 * DAY),
      last_seen_at: null,
    },
  ],
  invitations: [
    {
      id: '01a1e04c-0000-7000-8000-000000000021',
      email: 'support@fitcoach.example',
      role: 'viewer',
      created_by: 'Mara Klein',
      created_at: at(-HOUR),
      expires_at: at(6.5 * DAY),
    },
  ],
};

export const SESSIONS = {
  data: [
    {
      id: 's1',
      created_at: at(-2 * HOUR),
      last_used_at: at(-1_000),
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0 Safari/537.36',
      address: '127.0.0.1',
      is_current: true,
    },
    {
      id: 's2',
      created_at: at(-5 * DAY),
      last_used_at: at(-DAY),
      user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
      address: '203.0.113.7',
      is_current: false,
    },
  ],
};

export const AUDIT = {
  data: [
    [
      'api_key.rotated',
      'Mara Klein',
      'dashboard',
      { name: 'Backend', before: { last_four: 'k2Vd' }, after: { last_four: 'UZIM' } },
    ],
    ['member.invited', 'Mara Klein', 'dashboard', { email: 'support@fitcoach.example', role: 'viewer' }],
    ['member.totp_enabled', 'Mara Klein', 'dashboard', {}],
    ['webhook.created', 'Backend', 'api', { url: 'https://hooks.fitcoach.example/in' }],
    ['account.renamed', null, 'cli', { before: { name: 'default' }, after: { name: 'fitcoach' } }],
  ].map(([action, name, via, details], index) => ({
    id: `e${index}`,
    at: at(-index * 3 * HOUR - 60_000),
    environment: action === 'webhook.created' ? 'sandbox' : null,
    actor: { kind: name === null ? 'operator' : 'member', id: null, name },
    action,
    subject: '01a1e04c-0000-7000-8000-0000000000a1',
    details,
    via,
    request_id: 'req_6f5b9e55107700025m',
  })),
  next_cursor: null,
};
