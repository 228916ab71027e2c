// COROS for the conformance suite.
import type { EpochMs } from '../../../src/domain/records/records.ts';
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const read = (name: string) => readFixture('coros', name);

const BIG_ID = '9007199254740993';
const BODY =
  '{"sportDataList":[{"openId":"open-1","labelId":451234567890123456,"mode":8,"subMode":1,"startTimezone":4,"startTime":1772431510,"endTime":1772433461}]}';

export const corosFixtures: ProviderFixtures = {
  pages: [
    { resource: 'sport', body: sportsAt(4) },
    { resource: 'sport', body: sportsAt(-28), zone: 'America/Phoenix' },
    { resource: 'daily', body: read('daily') },
  ],
  zero: { page: { resource: 'daily', body: read('daily') }, metrics: ['steps'] },
  sessions: [
    { kind: 'sleep', key: '2026-03-02', start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    {
      kind: 'workout',
      key: '451234567890123456',
      start: '2026-03-02T07:05:10+01:00',
      end: '2026-03-02T07:37:41+01:00',
    },
    {
      kind: 'workout',
      key: '451234567890123457',
      start: '2026-03-08T16:00:00-07:00',
      end: '2026-03-08T18:00:00-07:00',
    },
    {
      kind: 'workout',
      key: '451234567890123458-1773213420',
      start: '2026-03-11T08:17:00+01:00',
      end: '2026-03-11T08:57:00+01:00',
    },
  ],
  naps: ['2026-03-03'],
  bigIds: [{ kind: 'workout', page: { resource: 'sport', body: sportsAt(4) }, key: '451234567890123456' }],
  webhook: {
    signed: [
      {
        request: {
          method: 'POST',
          path: '/provider-webhooks/coros',
          query: {},
          headers: { client: 'a-client', secret: 'a-client-secret' },
          body: Buffer.from(BODY),
        },
        secrets: {
          clientId: 'a-client',
          clientSecret: 'a-client-secret',
          verificationToken: 'token',
          publicKeys: {},
        },
        at: new Date('2026-03-02T07:40:00Z'),
        webhooks: [
          {
            kind: 'changed',
            providerUserId: 'open-1',
            resource: 'sport',
            id: null,
            from: 1_772_431_510_000 as EpochMs,
            to: 1_772_433_461_000 as EpochMs,
          },
        ],
      },
    ],
    signsTime: false,
    bigUser: { body: BODY.replace('"open-1"', BIG_ID), providerUserId: BIG_ID },
  },
};

/** By zone: without it, a workout is read in the zone of its page. */
function sportsAt(quarters: number): unknown {
  const whole = read('sport') as { data: { startTimezone: number }[] };
  return { ...whole, data: whole.data.filter(({ startTimezone }) => startTimezone === quarters) };
}
