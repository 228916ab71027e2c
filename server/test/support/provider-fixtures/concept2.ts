// Concept2 for the conformance suite.
import { type FixturePage, type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const read = (name: string) => readFixture('concept2', name);

const BIG_ID = '9007199254740993';
const SECRET = 'test-webhook-secret';
const ADDED = '{"data":{"type":"result-added","result":{"id":88214310,"user_id":71204,"type":"rower","time":18000}}}';
const DELETED = '{"data":{"type":"result-deleted","result_id":88214310}}';
const DELETED_WITH_USER = '{"data":{"type":"result-deleted","result_id":88214310,"user_id":71204}}';

export const concept2Fixtures: ProviderFixtures = {
  pages: [
    { resource: 'results', body: read('results') },
    { resource: 'results', body: atHome(), zone: 'America/Phoenix' },
    { resource: 'strokes', body: read('intervals-strokes'), calledBy: intervals() },
    { resource: 'strokes', body: null, calledBy: bike() },
    { resource: 'strokes', body: read('bike-strokes'), calledBy: bike() },
  ],
  zero: { page: coasting(), metrics: ['cycling_cadence'] },
  sessions: [
    { kind: 'workout', key: '88214310', start: '2026-03-02T07:06:10+01:00', end: '2026-03-02T07:36:10+01:00' },
    { kind: 'workout', key: '88214402', start: '2026-03-04T18:02:52.700+01:00', end: '2026-03-04T18:12:00+01:00' },
    { kind: 'workout', key: '88215077', start: '2026-03-06T00:00:00+01:00', end: '2026-03-06T00:52:00+01:00' },
    { kind: 'workout', key: '88215391', start: '2026-03-08T08:38:30-07:00', end: '2026-03-08T09:02:30-07:00' },
    { kind: 'workout', key: '88216120', start: '2026-03-09T18:08:00+01:00', end: '2026-03-09T18:20:00+01:00' },
    { kind: 'workout', key: '88214403', start: '2026-03-04T18:02:52.700-07:00', end: '2026-03-04T18:12:00-07:00' },
  ],
  naps: [],
  bigIds: [
    { kind: 'workout', page: { resource: 'results', body: { data: { ...skiErg(), id: BIG_ID } } }, key: BIG_ID },
  ],
  webhook: {
    signed: [
      sent(ADDED, [
        { kind: 'changed', providerUserId: '71204', resource: 'results', id: '88214310', from: null, to: null },
      ]),
      sent(DELETED, []),
      sent(DELETED_WITH_USER, [
        { kind: 'reconcile', providerUserId: '71204', resource: 'results', of: 'workouts', interval: null },
      ]),
    ],
    signsTime: false,
    bigUser: { body: ADDED.replace('71204', BIG_ID), providerUserId: BIG_ID },
  },
};

type Sent = NonNullable<ProviderFixtures['webhook']>['signed'][number];

/** The path is the only proof. */
function sent(body: string, webhooks: Sent['webhooks']): Sent {
  return {
    request: {
      method: 'POST',
      path: `/provider-webhooks/concept2/application/${SECRET}`,
      query: {},
      headers: {},
      body: Buffer.from(body),
    },
    secrets: { clientId: 'id', clientSecret: 'secret', verificationToken: SECRET, publicKeys: {} },
    at: new Date('2026-03-02T07:40:00Z'),
    webhooks,
  };
}

type Result = Readonly<Record<string, unknown>>;

function listResults(): readonly Result[] {
  return (read('results') as { data: Result[] }).data;
}

function skiErg(): Result {
  return listResults().find(({ type }) => type === 'skierg') ?? {};
}

function bike(): Result {
  return listResults().find(({ type }) => type === 'bike') ?? {};
}

function intervals(): Result {
  return (read('intervals') as { data: Result }).data;
}

/** A result without a time zone, of a user in another one. */
function atHome() {
  return { data: [{ ...skiErg(), id: 88_214_403 }], meta: { pagination: { current_page: 1, total_pages: 1 } } };
}

function coasting(): FixturePage {
  return { resource: 'strokes', body: { data: [{ t: 100, d: 800, p: 0, spm: 0 }] }, calledBy: bike() };
}
