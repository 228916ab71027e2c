// Polar for the conformance suite.
import type { EpochMs } from '../../../src/domain/records/records.ts';
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const page = (resource: string) => ({ resource, body: readFixture('polar', resource) });

/** Minutes. A workout away from home: without the offset it would be at another time. */
const PHOENIX = -420;
const BIG_ID = '9007199254740993';
const EXERCISE =
  '{"event":"EXERCISE","user_id":10579,"entity_id":"2AC312F","timestamp":"2026-03-02T06:41:00Z","url":"https://www.polaraccesslink.com/v3/exercises/2AC312F"}';
const SIGNATURE = '65023ffe080b564b4377e38865b16966d6dca085c4219fcfd6db4123a7415160';
const SLEEP = '{"event":"SLEEP","user_id":10579,"date":"2026-03-02","timestamp":"2026-03-02T06:55:00Z"}';
const SLEEP_SIGNATURE = 'affa0375bbb5141b6c5f0c757829c026f15a8239913fcb8b9fb9292c8b9fd4a0';
const DATE = {
  from: Date.parse('2026-03-02T00:00:00Z') as EpochMs,
  to: Date.parse('2026-03-03T00:00:00Z') as EpochMs,
};
const changed = { kind: 'changed', providerUserId: '10579' } as const;

export const polarFixtures: ProviderFixtures = {
  pages: [
    { resource: 'exercises', body: listExercises().filter(({ start_time_utc_offset: offset }) => offset !== PHOENIX) },
    {
      resource: 'exercises',
      body: listExercises().filter(({ start_time_utc_offset: offset }) => offset === PHOENIX),
      zone: 'America/Phoenix',
    },
    page('activities'),
    page('sleep'),
    page('nightly-recharge'),
    page('continuous-heart-rate'),
    page('spo2'),
    page('skin-temperature'),
    page('body-temperature'),
    page('physical-info'),
  ],
  zero: {
    page: {
      resource: 'activities',
      body: [{ start_time: '2026-03-02T00:00:00', steps: 0, active_duration: 'PT0S', calories: 0, active_calories: 0 }],
    },
    metrics: ['steps', 'active_minutes', 'active_calories', 'resting_energy'],
  },
  sessions: [
    { kind: 'sleep', key: '2026-03-02', start: '2026-03-01T23:20:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    { kind: 'sleep', key: '2026-03-10', start: '2026-03-09T22:45:00-07:00', end: '2026-03-10T06:15:00-07:00' },
    { kind: 'workout', key: '2AC312F', start: '2026-03-02T07:05:10+01:00', end: '2026-03-02T07:36:41+01:00' },
    { kind: 'workout', key: '2AC3131', start: '2026-03-11T18:00:00+01:00', end: '2026-03-11T18:45:00+01:00' },
    { kind: 'workout', key: '2AC3130', start: '2026-03-10T18:00:00-07:00', end: '2026-03-10T19:00:00.500-07:00' },
  ],
  naps: ['2026-03-12'],
  bigIds: [{ kind: 'workout', page: { resource: 'exercises', body: withBigId() }, key: BIG_ID }],
  webhook: {
    signed: [
      signed(EXERCISE, SIGNATURE, [{ ...changed, resource: 'exercises', id: '2AC312F', from: null, to: null }]),
      signed(SLEEP, SLEEP_SIGNATURE, [
        { ...changed, resource: 'sleep', id: '2026-03-02', ...DATE },
        { ...changed, resource: 'nightly-recharge', id: '2026-03-02', ...DATE },
        { ...changed, resource: 'skin-temperature', id: null, ...DATE },
      ]),
    ],
    signsTime: false,
    bigUser: { body: EXERCISE.replace('10579', BIG_ID), providerUserId: BIG_ID },
  },
};

type Signed = NonNullable<ProviderFixtures['webhook']>['signed'][number];

/** Polar signs with the secret that it returned when the webhook was created. */
function signed(body: string, signature: string, webhooks: Signed['webhooks']): Signed {
  return {
    request: {
      method: 'POST',
      path: '/provider-webhooks/polar',
      query: {},
      headers: { 'polar-webhook-signature': signature },
      body: Buffer.from(body),
    },
    secrets: {
      clientId: 'id',
      clientSecret: 'secret',
      verificationToken: 'token',
      publicKeys: {},
      signingSecret: 'test-client-secret',
    },
    at: new Date('2026-03-02T07:00:00Z'),
    webhooks,
  };
}

function withBigId(): unknown {
  return listExercises()
    .slice(0, 1)
    .map((exercise) => ({ ...exercise, id: BIG_ID }));
}

function listExercises(): readonly { readonly start_time_utc_offset?: number }[] {
  return readFixture('polar', 'exercises') as { start_time_utc_offset?: number }[];
}
