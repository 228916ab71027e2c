// WHOOP for the conformance suite.
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const read = (name: string) => readFixture('whoop', name);

const NIGHT = '11111111-1111-4111-8111-111111111111';
const BIG_ID = '9007199254740993';
const EVENT = `{"user_id":10129,"id":"${NIGHT}","type":"sleep.updated","trace_id":"e369c784-0000-4000-8000-75d35c47b31b"}`;
const EVENT_AT = 1_772_434_510_000;

/** The lowest skin temperature: of all values of a cycle, a night or its recovery only this one can be 0. */
const frozen = { resting_heart_rate: 60, skin_temp_celsius: 0 };

export const whoopFixtures: ProviderFixtures = {
  pages: [
    { resource: 'recovery', body: read('recovery'), calledBy: read('sleep') },
    { resource: 'recovery', body: null, calledBy: read('sleep-other') },
    { resource: 'cycle', body: read('cycle'), calledBy: read('sleep') },
    { resource: 'sleep', body: read('sleep') },
    { resource: 'workout', body: read('workout') },
    { resource: 'body_measurement', body: read('body') },
  ],
  zero: {
    page: {
      resource: 'recovery',
      body: { records: [{ sleep_id: NIGHT, score_state: 'SCORED', score: frozen }] },
      calledBy: read('sleep'),
    },
    metrics: ['skin_temperature'],
  },
  sessions: [
    { kind: 'sleep', key: NIGHT, start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    {
      kind: 'sleep',
      key: '22222222-2222-4222-8222-222222222222',
      start: '2026-03-02T23:30:00-07:00',
      end: '2026-03-03T06:30:00-07:00',
    },
    {
      kind: 'workout',
      key: '33333333-3333-4333-8333-333333333333',
      start: '2026-03-02T07:05:10+01:00',
      end: '2026-03-02T07:36:41+01:00',
    },
  ],
  naps: ['44444444-4444-4444-8444-444444444444'],
  bigIds: [{ kind: 'workout', page: { resource: 'workout', body: withBigId() }, key: BIG_ID }],
  webhook: {
    signed: [
      {
        request: {
          method: 'POST',
          path: '/provider-webhooks',
          query: {},
          headers: {
            'x-whoop-signature': 'GDlraZt6YtQJAKrs2h05sn8YwsEbnrsTr3pR1xasfPo=',
            'x-whoop-signature-timestamp': String(EVENT_AT),
          },
          body: Buffer.from(EVENT),
        },
        secrets: { clientId: 'id', clientSecret: 'test-client-secret', verificationToken: 'token', publicKeys: {} },
        at: new Date(EVENT_AT + 30_000),
        webhooks: [{ kind: 'changed', providerUserId: '10129', resource: 'sleep', id: NIGHT, from: null, to: null }],
      },
    ],
    signsTime: true,
    bigUser: { body: EVENT.replace('10129', BIG_ID), providerUserId: BIG_ID },
  },
};

function withBigId(): unknown {
  const whole = read('workout') as { records: { id: unknown }[] };
  return { ...whole, records: whole.records.map((record) => ({ ...record, id: BIG_ID })) };
}
