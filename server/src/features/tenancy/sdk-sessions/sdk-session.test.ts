// Property tests of credential rotation: random sequences of honest use and of token theft.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { UserId } from '../../../domain/tenancy.ts';
import { reissueCredentials, rotateCredentials } from './credentials.ts';
import { judgeAccess, judgeRefresh, type SdkSession } from './sdk-session.ts';

const START = new Date('2026-03-01T00:00:00Z');

const fresh: SdkSession = {
  id: 'session',
  userId: 'user' as UserId,
  installationId: 'phone',
  platform: 'ios',
  sources: ['apple_health'],
  scopes: ['sleep'],
  status: 'active',
  createdAt: START,
  activatedAt: START,
  clientVersion: 1,
  clientExpiresAt: START,
  clientConsumedAt: START,
  credentialVersion: 0,
  credentialUsedAt: null,
  accessExpiresAt: null,
  refreshExpiresAt: null,
  previousAccessExpiresAt: null,
  createdByKey: null,
};

/** What the service does with a refresh token of that version. */
function refresh(session: SdkSession, version: number): { session: SdkSession; answer: number | null } {
  const verdict = judgeRefresh(session, version, START);
  if (verdict === 'rotate') {
    const next = rotateCredentials(session, START);
    return { session: next, answer: next.credentialVersion };
  }
  if (verdict === 'repeat') return { session: reissueCredentials(session, START), answer: session.credentialVersion };
  return { session: verdict === 'reused' ? { ...session, status: 'revoked' } : session, answer: null };
}

function useAccess(session: SdkSession, version: number): { session: SdkSession; isGood: boolean } {
  const isGood = judgeAccess(session, version, START) === 'good';
  return {
    session:
      isGood && version === session.credentialVersion && session.credentialUsedAt === null
        ? { ...session, credentialUsedAt: START }
        : session,
    isGood,
  };
}

it('never locks out an honest phone, even if replies get lost', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('refresh', 'refresh, reply lost', 'use'), { maxLength: 60 }), (steps) => {
      let session: SdkSession = rotateCredentials(fresh, START);
      let held = session.credentialVersion; // the version whose tokens the phone has
      for (const step of steps) {
        if (step === 'use') {
          const used = useAccess(session, held);
          assert.ok(used.isGood, 'its access token works');
          session = used.session;
          continue;
        }
        const { session: after, answer } = refresh(session, held);
        assert.notEqual(answer, null, 'its refresh token works');
        session = after;
        if (step === 'refresh' && answer !== null) held = answer;
      }
    }),
    { numRuns: 10_000 },
  );
});

it('revokes the session when a refresh token is reused after its successor was used', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (versions, age) => {
      let session: SdkSession = rotateCredentials(fresh, START);
      for (let version = 1; version < versions; version += 1)
        session = refresh(session, session.credentialVersion).session;
      session = useAccess(session, session.credentialVersion).session;
      const stolen = session.credentialVersion - age;
      const { session: after, answer } = refresh(session, stolen);
      assert.equal(answer, null);
      assert.equal(after.status, stolen >= 1 ? 'revoked' : 'active');
    }),
    { numRuns: 10_000 },
  );
});
