// Strava for the conformance suite.
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const read = (name: string) => readFixture('strava', name);

const BIG_ID = '9007199254740993';
const SECRET = 'pathsecret';
const EVENT =
  '{"aspect_type":"create","event_time":1772434000,"object_id":12345678987654321,"object_type":"activity","owner_id":134815,"subscription_id":120475,"updates":{}}';
const DELETED =
  '{"aspect_type":"delete","event_time":1772434100,"object_id":11204815001,"object_type":"activity","owner_id":134815,"subscription_id":120475,"updates":{}}';
const REVOKED =
  '{"aspect_type":"update","event_time":1772434200,"object_id":134815,"object_type":"athlete","owner_id":134815,"subscription_id":120475,"updates":{"authorized":"false"}}';

export const stravaFixtures: ProviderFixtures = {
  pages: [
    { resource: 'activities', body: read('run'), isOneRecord: true },
    { resource: 'activities', body: read('manual'), isOneRecord: true },
    { resource: 'streams', body: read('run-streams'), calledBy: read('run'), isOneRecord: true },
    {
      resource: 'streams',
      body: read('ride-streams'),
      calledBy: read('ride'),
      zone: 'America/Phoenix',
      isOneRecord: true,
    },
  ],
  zero: {
    page: { resource: 'streams', body: read('ride-streams'), calledBy: read('ride') },
    metrics: ['cycling_speed', 'cycling_power', 'cycling_cadence'],
  },
  sessions: [
    { kind: 'workout', key: '11204815001', start: '2026-03-02T07:05:10+01:00', end: '2026-03-02T07:36:41+01:00' },
    { kind: 'workout', key: '11204815002', start: '2026-03-10T18:00:00-07:00', end: '2026-03-10T19:00:00-07:00' },
    { kind: 'workout', key: '11204815003', start: '2026-07-04T19:00:00+02:00', end: '2026-07-04T19:45:00+02:00' },
  ],
  naps: [],
  bigIds: [
    {
      kind: 'workout',
      page: { resource: 'activities', body: { ...(read('run') as object), id: BIG_ID } },
      key: BIG_ID,
    },
  ],
  webhook: {
    signed: [
      received(EVENT, [
        {
          kind: 'changed',
          providerUserId: '134815',
          resource: 'activities',
          id: '12345678987654321',
          from: null,
          to: null,
        },
      ]),
      received(DELETED, [{ kind: 'deleted', providerUserId: '134815', resource: 'activities', id: '11204815001' }]),
      received(REVOKED, [{ kind: 'deauthorized', providerUserId: '134815' }]),
    ],
    signsTime: false,
    bigUser: { body: EVENT.replace('134815', BIG_ID), providerUserId: BIG_ID },
  },
};

type Signed = NonNullable<ProviderFixtures['webhook']>['signed'][number];

/** Not signed: the secret is in the path. */
function received(body: string, webhooks: Signed['webhooks']): Signed {
  return {
    request: {
      method: 'POST',
      path: `/provider-webhooks/strava/app/${SECRET}`,
      query: {},
      headers: {},
      body: Buffer.from(body),
    },
    secrets: { clientId: 'id', clientSecret: 'secret', verificationToken: SECRET, publicKeys: {} },
    at: new Date('2026-03-02T07:00:00Z'),
    webhooks,
  };
}
