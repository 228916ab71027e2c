// Garmin for the conformance suite.
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const page = (resource: string) => ({ resource, body: readFixture('garmin', resource) });

const USER = 'a1b2c3d4e5f6a7b8c9d0';
const BIG_ID = '9007199254740993';
const SECRETS = { clientId: 'id', clientSecret: 'secret', verificationToken: 'an-unguessable-part', publicKeys: {} };
const idle = { summaryId: 'a', calendarDate: '2026-03-02', startTimeInSeconds: 1_772_406_000, steps: 0 };

export const garminFixtures: ProviderFixtures = {
  pages: [
    page('dailies'),
    page('epochs'),
    page('sleeps'),
    page('hrv'),
    page('pulseox'),
    page('allDayRespiration'),
    page('stressDetails'),
    page('healthSnapshot'),
    page('bodyComps'),
    page('bloodPressures'),
    page('userMetrics'),
    page('skinTemp'),
    page('activityDetails'),
    page('activities'),
    page('manuallyUpdatedActivities'),
  ],
  zero: {
    page: { resource: 'dailies', body: [{ ...idle, floorsClimbed: 0, highStressDurationInSeconds: 0 }] },
    metrics: ['steps', 'floors_climbed', 'stress_time_high'],
  },
  sessions: [
    { kind: 'sleep', key: 'x1-sleep-1', start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    { kind: 'sleep', key: 'x1-sleep-2', start: '2026-03-09T22:45:00-07:00', end: '2026-03-10T06:15:00-07:00' },
    { kind: 'sleep', key: 'nap-1772457000', start: '2026-03-02T14:10:00+01:00', end: '2026-03-02T14:35:00+01:00' },
    { kind: 'workout', key: '1700000001', start: '2026-03-02T07:05:10+01:00', end: '2026-03-02T07:36:41+01:00' },
  ],
  naps: ['nap-1772457000'],
  bigIds: [{ kind: 'workout', page: { resource: 'activityDetails', body: withBigId() }, key: BIG_ID }],
  webhook: {
    signed: [
      signed(readFixture('garmin', 'skinTemp'), [
        {
          kind: 'pushed',
          providerUserId: USER,
          resource: 'skinTemp',
          body: (readFixture('garmin', 'skinTemp') as { skinTemp: unknown[] }).skinTemp,
        },
      ]),
      signed(readFixture('garmin', 'ping'), [
        {
          kind: 'changed',
          providerUserId: USER,
          resource: 'dailies',
          id: null,
          from: null,
          to: null,
          request: {
            origin: 'api',
            method: 'GET',
            path: '/wellness-api/rest/dailies',
            query: {
              uploadStartTimeInSeconds: '1772431510',
              uploadEndTimeInSeconds: '1772517910',
              token: 'EXAMPLE',
            },
            as: 'person',
          },
        },
      ]),
      signed(readFixture('garmin', 'deregistrations'), [{ kind: 'deauthorized', providerUserId: USER }]),
      signed(readFixture('garmin', 'userPermissionsChange'), [
        { kind: 'sharing', providerUserId: USER, sharesAnything: true },
      ]),
    ],
    signsTime: false,
    bigUser: { body: `{"deregistrations":[{"userId":${BIG_ID}}]}`, providerUserId: BIG_ID },
  },
};

type Signed = NonNullable<ProviderFixtures['webhook']>['signed'][number];

function signed(body: unknown, webhooks: Signed['webhooks']): Signed {
  return {
    request: {
      method: 'POST',
      path: '/provider-webhooks/garmin/an-unguessable-part',
      query: {},
      headers: {},
      body: Buffer.from(JSON.stringify(body)),
    },
    secrets: SECRETS,
    at: new Date(1_772_434_800_000),
    webhooks,
  };
}

function withBigId(): unknown {
  const { activityDetails } = readFixture('garmin', 'activityDetails') as { activityDetails: object[] };
  return activityDetails.slice(0, 1).map((details) => ({ ...details, activityId: BIG_ID }));
}
