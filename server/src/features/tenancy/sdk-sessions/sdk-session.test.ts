// The rotation of credentials against a model: random sequences of honest and dishonest use.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { UserId } from '../../../domain/tenancy.ts';
import { nextTurn, sameTurn } from './credentials.ts';
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
  lastUploadAt: null,
  clientTurn: 1,
  clientExpiresAt: START,
  clientConsumedAt: START,
  turn: 0,
  turnUsedAt: null,
  accessExpiresAt: null,
  refreshExpiresAt: null,
  previousAccessExpiresAt: null,
  createdByKey: null,
};

/** What the service does with a refresh token of that turn. */
function refresh(session: SdkSession, turn: number): { session: SdkSession; answer: number | null } {
  const verdict = judgeRefresh(session, turn, START);
  if (verdict === 'rotate') {
    const next = nextTurn(session, START);
    return { session: next, answer: next.turn };
  }
  if (verdict === 'repeat') return { session: sameTurn(session, START), answer: session.turn };
  return { session: verdict === 'reused' ? { ...session, status: 'revoked' } : session, answer: null };
}

function useAccess(session: SdkSession, turn: number): { session: SdkSession; isGood: boolean } {
  const isGood = judgeAccess(session, turn, START) === 'good';
  return {
    session:
      isGood && turn === session.turn && session.turnUsedAt === null ? { ...session, turnUsedAt: START } : session,
    isGood,
  };
}

it('an honest phone is never locked out, however many answers get lost', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('refresh', 'refresh, answer lost', 'use'), { maxLength: 60 }), (steps) => {
      let session = nextTurn(fresh, START);
      let held = session.turn; // the turn whose tokens the phone has
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

it('a copied token that was rotated out ends the session as soon as it is tried after its successor was used', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (turns, age) => {
      let session = nextTurn(fresh, START);
      for (let turn = 1; turn < turns; turn += 1) session = refresh(session, session.turn).session;
      session = useAccess(session, session.turn).session;
      const stolen = session.turn - age;
      const { session: after, answer } = refresh(session, stolen);
      assert.equal(answer, null);
      assert.equal(after.status, stolen >= 1 ? 'revoked' : 'active');
    }),
    { numRuns: 10_000 },
  );
});
