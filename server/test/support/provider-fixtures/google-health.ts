// Google Health for the conformance suite.
import { generateKeyPairSync, sign } from 'node:crypto';
import type { EpochMs } from '../../../src/domain/records/records.ts';
import { type ProviderFixtures, readFixture } from '../provider-fixture.ts';

const page = (resource: string) => ({ resource, body: readFixture('google-health', resource) });

const BIG_ID = '9007199254740993';
const KEY_ID = 123_456_789;
const WEBHOOK = JSON.stringify(readFixture('google-health', 'notification'));
const CHANGED = {
  kind: 'changed',
  providerUserId: '1234567890',
  resource: 'sleep',
  id: null,
  from: Date.parse('2026-03-01T22:10:30Z') as EpochMs,
  to: Date.parse('2026-03-02T05:52:31Z') as EpochMs, // after the end, by which a sleep is found
} as const;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PUBLIC_KEYS = { [KEY_ID]: JSON.stringify(publicKey.export({ format: 'jwk' })) };
const idle = { civilStartTime: { date: { year: 2026, month: 3, day: 2 } }, steps: { countSum: '0' } };

export const googleHealthFixtures: ProviderFixtures = {
  pages: [
    'steps-rollup distance-rollup floors-rollup altitude-rollup active-energy-burned-rollup active-minutes-rollup',
    'sedentary-period-rollup steps distance active-energy-burned basal-energy-burned heart-rate heart-rate-variability',
    'oxygen-saturation blood-glucose core-body-temperature weight body-fat height daily-resting-heart-rate',
    'daily-heart-rate-variability daily-oxygen-saturation daily-respiratory-rate daily-sleep-temperature-derivations',
    'daily-vo2-max vo2-max run-vo2-max time-in-heart-rate-zone-rollup total-calories-rollup',
    'respiratory-rate-sleep-summary nutrition-log-rollup nutrition-log hydration-log-rollup hydration-log sleep exercise',
  ].flatMap((names) => names.split(' ').map(page)),
  zero: { page: { resource: 'steps-rollup', body: { rollupDataPoints: [idle] } }, metrics: ['steps'] },
  sessions: [
    { kind: 'sleep', key: 'dp-sleep-1', start: '2026-03-01T23:10:30+01:00', end: '2026-03-02T06:52:30+01:00' },
    { kind: 'sleep', key: 'dp-sleep-2', start: '2026-03-09T22:45:00-07:00', end: '2026-03-10T06:15:00-07:00' },
    { kind: 'sleep', key: 'dp-nap-1', start: '2026-03-02T14:10:00+01:00', end: '2026-03-02T14:35:00+01:00' },
    { kind: 'workout', key: 'ex-1', start: '2026-03-02T07:05:10+01:00', end: '2026-03-02T07:36:41+01:00' },
  ],
  naps: ['dp-nap-1'],
  bigIds: [{ kind: 'workout', page: { resource: 'exercise', body: withBigId() }, key: BIG_ID }],
  webhook: {
    signed: [
      signed({ authorization: 'Bearer an-unguessable-part' }),
      signed({ 'google-health-api-signature': sealed() }),
    ],
    signsTime: false,
    bigUser: { body: WEBHOOK.replace('"1234567890"', BIG_ID), providerUserId: BIG_ID },
  },
};

function signed(headers: Readonly<Record<string, string>>) {
  return {
    request: { method: 'POST', path: '/provider-webhooks/google', query: {}, headers, body: Buffer.from(WEBHOOK) },
    secrets: {
      clientId: 'id',
      clientSecret: 'secret',
      verificationToken: 'an-unguessable-part',
      publicKeys: PUBLIC_KEYS,
    },
    at: new Date('2026-03-02T07:00:00Z'),
    webhooks: [CHANGED],
  };
}

/** Tink's format: a 1, four bytes of key id, and the signature. */
function sealed(): string {
  const prefix = Buffer.from([1, 0, 0, 0, 0]);
  prefix.writeUInt32BE(KEY_ID, 1);
  return Buffer.concat([prefix, sign('sha256', Buffer.from(WEBHOOK), privateKey)]).toString('base64');
}

function withBigId(): unknown {
  const { dataPoints } = readFixture('google-health', 'exercise') as { dataPoints: object[] };
  const name = `users/me/dataTypes/exercise/dataPoints/${BIG_ID}`;
  return { dataPoints: dataPoints.slice(0, 1).map((point) => ({ ...point, dataPointName: name })) };
}
