// Attacks with calls that need no credential or send one that does not exist.
import { randomBytes, randomUUID } from 'node:crypto';
import { mintToken } from '../../src/platform/crypto/opaque-token.ts';
import { type Attack, type Call, repeatCalls } from './attack.ts';

const CALLERS = 64;

const flood =
  (nextCall: () => Omit<Call, 'method' | 'key'> & Partial<Call>): Attack =>
  (target, { seconds, callers = CALLERS }) =>
    repeatCalls(target, { seconds, callers }, () => ({ method: 'GET', key: null, ...nextCall() }));

export const LOOKUP_ATTACKS: Readonly<Record<string, Attack>> = {
  'unknown API keys': flood(() => ({ path: '/v1/users', key: mintToken('sk_live_') })),
  readiness: flood(() => ({ path: '/readyz' })),
  'provider webhooks': flood(() => ({
    method: 'POST',
    path: `/provider-webhooks/oura/${randomUUID()}/${randomBytes(32).toString('base64url')}`,
    body: Buffer.alloc(100_000, 0x20),
  })),
  simulator: flood(() => ({
    method: 'POST',
    path: '/simulator/oura/oauth/token',
    body: Buffer.from(`grant_type=authorization_code&code=${randomUUID()}`),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })),
};
