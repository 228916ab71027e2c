// Oura for the conformance suite.

import type { EpochMs } from '../../../src/domain/records/records.ts';
import { DAY_MS } from '../../../src/domain/time/durations.ts';
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const page = (resource: string, name = resource) => ({ resource, body: readFixture('oura', name) });

const BIG_ID = '9007199254740993';
const USER = '8f9a5221-639e-4a85-81cb-4065ef23f979';
const NIGHT = '00000000-0000-4000-8000-000000000002';
const EVENT = `{"event_type":"create","data_type":"sleep","object_id":"${NIGHT}","event_time":"2026-03-02T06:55:10+00:00","user_id":"${USER}"}`;
const EVENT_AT = Date.parse('2026-03-02T06:55:10Z');
const idle = { day: '2026-03-02', steps: 0, active_calories: 0, total_calories: 0, high_activity_time: 0 };

export const ouraFixtures: ProviderFixtures = {
  pages: [
    page('sleep'),
    page('sleep', 'sleep-other'),
    page('daily_activity'),
    page('daily_readiness'),
    page('daily_spo2'),
    page('daily_stress'),
    page('daily_cardiovascular_age'),
    page('vo2_max'),
    page('workout'),
    page('heartrate'),
    page('session'),
  ],
  zero: {
    page: { resource: 'daily_activity', body: { data: [{ id: 'a', ...idle }], next_token: null } },
    metrics: ['steps', 'active_calories', 'resting_energy', 'vigorous_activity'],
  },
  sessions: [
    { kind: 'sleep', key: NIGHT, start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    {
      kind: 'sleep',
      key: '00000000-0000-4000-8000-000000000022',
      start: '2026-03-09T22:45:00-07:00',
      end: '2026-03-10T06:15:00-07:00',
    },
    {
      kind: 'workout',
      key: '00000000-0000-4000-8000-000000000007',
      start: '2026-03-02T07:05:10+01:00',
      end: '2026-03-02T07:36:41+01:00',
    },
  ],
  naps: ['00000000-0000-4000-8000-000000000021'],
  bigIds: [{ kind: 'workout', page: { resource: 'workout', body: withBigId() }, key: BIG_ID }],
  deletedSleep: ['00000000-0000-4000-8000-000000000023', '00000000-0000-4000-8000-000000000024'],
  webhook: {
    signed: [
      {
        request: {
          method: 'POST',
          path: '/provider-webhooks',
          query: {},
          headers: {
            'x-oura-timestamp': '1772434510',
            'x-oura-signature': '91A2FFF6424C40C719819226614C54CFFBFF3954F8E2E91DEB2E8C0EA4AD7191',
          },
          body: Buffer.from(EVENT),
        },
        secrets: { clientId: 'id', clientSecret: 'test-client-secret', verificationToken: 'token', publicKeys: {} },
        at: new Date(EVENT_AT + 30_000),
        webhooks: [
          { kind: 'changed', providerUserId: USER, resource: 'sleep', id: NIGHT, from: null, to: null },
          {
            kind: 'changed',
            providerUserId: USER,
            resource: 'heartrate',
            id: null,
            from: (EVENT_AT - DAY_MS) as EpochMs,
            to: EVENT_AT as EpochMs,
          },
        ],
      },
    ],
    signsTime: true,
    bigUser: { body: EVENT.replace(`"${USER}"`, BIG_ID), providerUserId: BIG_ID },
  },
};

function withBigId(): unknown {
  const whole = structuredClone(readFixture('oura', 'workout')) as { data: { id: unknown }[] };
  return { ...whole, data: whole.data.map((document) => ({ ...document, id: BIG_ID })) };
}
