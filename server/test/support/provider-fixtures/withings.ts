// Withings for the conformance suite.
import type { EpochMs } from '../../../src/domain/records/records.ts';
import { type FixturePage, type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const read = (name: string) => readFixture('withings', name);
const page = (resource: string, name = resource): FixturePage => ({ resource, body: read(name) });

/** The stages of the only night that has them. */
const nights = ['sleep-summary', 'sleep-other'].flatMap((name) => {
  const { series } = (read(name) as { body: { series: unknown[] } }).body;
  const stages = name === 'sleep-summary' ? read('sleep-get') : { status: 0, body: { series: [] } };
  return series.map((summary): FixturePage => ({ resource: 'sleep_stages', body: stages, calledBy: summary }));
});

const idle = { date: '2026-03-02', steps: 0, distance: 0, elevation: 0, intense: 0, calories: 0, totalcalories: 0 };

export const withingsFixtures: ProviderFixtures = {
  pages: [
    page('measures'),
    page('activity'),
    page('intraday'),
    page('workouts'),
    page('sleep', 'sleep-summary'),
    page('sleep', 'sleep-other'),
    ...nights,
  ],
  zero: {
    page: { resource: 'activity', body: { status: 0, body: { activities: [idle] } } },
    metrics: ['steps', 'distance', 'floors_climbed', 'vigorous_activity', 'active_calories', 'resting_energy'],
  },
  sessions: [
    { kind: 'sleep', key: '2081800001', start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    { kind: 'sleep', key: '9007199254740995', start: '2026-03-09T22:30:00-06:00', end: '2026-03-10T06:00:00-06:00' },
    { kind: 'workout', key: '9007199254740993', start: '2026-03-02T07:05:10+01:00', end: '2026-03-02T07:36:41+01:00' },
  ],
  naps: ['2081800002'],
  bigIds: [
    { kind: 'workout', page: page('workouts'), key: '9007199254740993' },
    { kind: 'sleep', page: nights.at(-1) as FixturePage, key: '9007199254740995' },
  ],
  webhook: {
    signed: [
      {
        request: {
          method: 'POST',
          path: '/provider-webhooks/withings/an-unguessable-part',
          query: {},
          headers: {},
          body: Buffer.from(new URLSearchParams(read('notification') as Record<string, string>).toString()),
        },
        secrets: {
          clientId: 'id',
          clientSecret: 'test-client-secret',
          verificationToken: 'an-unguessable-part',
          publicKeys: {},
        },
        at: new Date(1_772_430_800_000),
        webhooks: [
          {
            kind: 'changed',
            providerUserId: '363',
            resource: 'sleep',
            id: null,
            from: 1_772_403_030_000 as EpochMs,
            to: 1_772_430_750_000 as EpochMs,
          },
        ],
      },
    ],
    signsTime: false,
    bigUser: { body: 'userid=9007199254740993&appli=1', providerUserId: '9007199254740993' },
  },
};
