// Wahoo for the conformance suite.
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

type Body = { workouts: { id: unknown }[] };
const read = () => readFixture('wahoo', 'workouts') as Body;
const BIG_ID = '9007199254740993';
const SECRETS = { clientId: 'id', clientSecret: 's', verificationToken: 'hidden', publicKeys: {} };
const EVENT = `{"event_type":"workout_summary","webhook_token":"portal","user":{"id":60462},"workout_summary":{"id":9001,"workout":{"id":201000001}}}`;

export const wahooFixtures: ProviderFixtures = {
  pages: [
    { resource: 'workouts', body: read() },
    { resource: 'workout-file', body: null, calledBy: read().workouts[0] },
  ],
  zero: { page: { resource: 'workouts', body: read() }, metrics: [] },
  sessions: [
    { kind: 'workout', key: '201000001', start: '2026-03-02T07:05:10+01:00', end: '2026-03-02T07:36:41+01:00' },
    { kind: 'workout', key: '201000002', start: '2026-03-03T16:00:00-07:00', end: '2026-03-03T17:00:00-07:00' },
  ],
  naps: [],
  bigIds: [
    {
      kind: 'workout',
      page: { resource: 'workouts', body: { workouts: [{ ...read().workouts[0], id: BIG_ID }] } },
      key: BIG_ID,
    },
  ],
  webhook: {
    signed: [
      {
        request: {
          method: 'POST',
          path: '/provider-webhooks/wahoo/app/hidden',
          query: {},
          headers: {},
          body: Buffer.from(EVENT),
        },
        secrets: SECRETS,
        at: new Date('2026-03-02T06:41:00Z'),
        webhooks: [
          { kind: 'changed', providerUserId: '60462', resource: 'workouts', id: '201000001', from: null, to: null },
        ],
      },
    ],
    signsTime: false,
    bigUser: { body: EVENT.replace('60462', BIG_ID), providerUserId: BIG_ID },
  },
};
