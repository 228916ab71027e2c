// Suunto for the conformance suite.
import { createHmac } from 'node:crypto';
import type { EpochMs } from '../../../src/domain/records/records.ts';
import type { WebhookItem } from '../../../src/providers/contract.ts';
import { parseJson } from '../../../src/providers/parse-json.ts';
import { type ProviderFixtures, readFixture, type SignedWebhook } from '../provider-fixture.ts';

const read = (name: string) => readFixture('suunto', name);
const page = (resource: string) => ({ resource, body: read(resource) });

const BIG_ID = '9007199254740993';
const RUN = '65e2f0aa1234567890abcdef';
const WORKOUT = `{"type":"WORKOUT_CREATED","username":"sam","workout":{"workoutKey":"${RUN}","activityId":1,"startTime":1772431510000,"totalTime":1891.0}}`;
const SLEEP =
  '{"type":"SUUNTO_247_SLEEP_CREATED","username":"sam","samples":[{"timestamp":"2026-03-01T23:10:30.000+01:00","entryData":{"SleepId":1772403030,"Duration":27720.0}}]}';
const RECOVERY =
  '{"type":"SUUNTO_247_RECOVERY_CREATED","username":"sam","samples":[{"timestamp":"2026-03-02T07:00:00.000+01:00","entryData":{"Balance":0.7,"StressState":2}}]}';

export const suuntoFixtures: ProviderFixtures = {
  pages: [
    { resource: 'workouts', body: workoutsAt(60) },
    { resource: 'workouts', body: workoutsAt(-420), zone: 'America/Phoenix' },
    { resource: 'changed-workouts', body: workoutsAt(60) },
    { resource: 'workout-file', body: null, calledBy: workoutsAt(60).payload[0] },
    page('sleep'),
    page('activity'),
    page('daily-activity-statistics'),
  ],
  zero: { page: page('daily-activity-statistics'), metrics: ['steps'] },
  sessions: [
    { kind: 'sleep', key: '1772403030', start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    { kind: 'sleep', key: '1773120600', start: '2026-03-09T22:30:00-07:00', end: '2026-03-10T06:00:00-07:00' },
    { kind: 'workout', key: RUN, start: '2026-03-02T07:05:10+01:00', end: '2026-03-02T07:37:41+01:00' },
    {
      kind: 'workout',
      key: '65e2f0aa1234567890abcd01',
      start: '2026-03-08T16:00:00-07:00',
      end: '2026-03-08T18:00:00-07:00',
    },
  ],
  naps: ['1773320400'],
  bigIds: [{ kind: 'sleep', page: { resource: 'sleep', body: withBigId() }, key: BIG_ID }],
  webhook: {
    signed: [
      signed(WORKOUT, [
        {
          kind: 'changed',
          providerUserId: 'sam',
          resource: 'workouts',
          id: RUN,
          from: 1_772_431_450_000 as EpochMs,
          to: 1_772_431_570_000 as EpochMs,
        },
      ]),
      signed(SLEEP, [{ kind: 'pushed', providerUserId: 'sam', resource: 'sleep', body: samplesOf(SLEEP) }]),
      signed(RECOVERY, []),
    ],
    signsTime: false,
    bigUser: { body: WORKOUT.replace('"sam"', BIG_ID), providerUserId: BIG_ID },
  },
};

function signed(body: string, webhooks: readonly WebhookItem[]): SignedWebhook {
  const signature = createHmac('sha256', 'test-notification-secret').update(body).digest('hex');
  return {
    request: {
      method: 'POST',
      path: '/provider-webhooks/suunto',
      query: {},
      headers: { 'x-hmac-sha256-signature': signature },
      body: Buffer.from(body),
    },
    secrets: {
      clientId: 'id',
      clientSecret: 'secret',
      extras: { subscription_key: 'key', notification_secret: 'test-notification-secret' },
      verificationToken: 'token',
      publicKeys: {},
    },
    at: new Date('2026-03-02T07:00:00Z'),
    webhooks,
  };
}

function samplesOf(body: string): unknown {
  return (parseJson(body) as { samples: unknown }).samples;
}

/** By offset: without it, a workout is read in the zone of its page. */
function workoutsAt(offset: number) {
  const whole = read('workouts') as { payload: { timeOffsetInMinutes: number }[] };
  return { ...whole, payload: whole.payload.filter(({ timeOffsetInMinutes }) => timeOffsetInMinutes === offset) };
}

function withBigId(): unknown {
  const sleeps = read('sleep') as { entryData: object }[];
  return sleeps.slice(0, 1).map((sleep) => ({ ...sleep, entryData: { ...sleep.entryData, SleepId: BIG_ID } }));
}
