// Random histories of a few addresses in one account, compared with a model that does not depend on storage.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import type { TestApi } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { openPage, submitForm } from '../support/test-pages.ts';
import { createRosterSide, INVITATIONS, newAddress, ROSTER, type RosterSide } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const clock = createFrozenClock();
const printed: string[] = [];
const service = await startTestService({ clock, printedLines: printed });
after(() => service.stop());

const LIFE_DAYS = 14;
const MAX_DAYS = 84; // the key of the account is valid for 90

/** The state of one address, by the specification. */
type Life = {
  readonly email: string;
  invitation: { id: string; link: string; status: 'pending' | 'accepted' | 'revoked'; leftDays: number } | null;
  member: { id: string; status: 'active' | 'archived' } | null;
  /** The user of the first acceptance, which never changes. */
  userId: string | null;
  /** Removed members. */
  readonly former: string[];
};
type World = {
  readonly api: TestApi;
  readonly roster: RosterSide;
  readonly lives: readonly Life[];
  readonly passed: { days: number };
};

function invitationStatus({ invitation }: Life): 'pending' | 'accepted' | 'revoked' | 'expired' | null {
  if (invitation === null) return null;
  return invitation.status === 'pending' && invitation.leftDays <= 0 ? 'expired' : invitation.status;
}
const isPending = (life: Life) => invitationStatus(life) === 'pending';

type Step = (world: World, life: Life) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  async invite({ api, roster }, life) {
    const obstacle = life.member ? 'already_member' : isPending(life) ? 'already_invited' : null;
    if (obstacle !== null) {
      const answer = await api.post(INVITATIONS, { email: life.email.toUpperCase() });
      assert.deepEqual([answer.status, answer.body.error], [409, obstacle]);
      return;
    }
    const { id, link } = await roster.invite(life.email);
    life.invitation = { id, link, status: 'pending', leftDays: LIFE_DAYS };
  },
  async accept({ api }, life) {
    if (life.invitation === null) return;
    const page = await submitForm(life.invitation.link, { decision: 'allow' });
    assert.equal(page.status, isPending(life) ? 303 : 410);
    if (!isPending(life)) return;
    life.invitation.status = 'accepted';
    const { member_id } = (await api.get(`${INVITATIONS}/${life.invitation.id}`)).body;
    life.member = { id: member_id, status: 'active' };
    const { user_id } = (await api.get(`${ROSTER}/${member_id}`)).body;
    life.userId ??= user_id;
    assert.equal(user_id, life.userId, 'the same user again');
    assert.ok(!life.former.includes(member_id), 'another membership');
  },
  async decline(_world, life) {
    if (life.invitation === null) return;
    const page = await submitForm(life.invitation.link, { decision: 'deny' });
    assert.equal(page.status, isPending(life) ? 200 : 410);
    if (isPending(life)) life.invitation.status = 'revoked';
  },
  async revoke({ api }, life) {
    if (life.invitation === null) return;
    assert.equal((await api.delete(`${INVITATIONS}/${life.invitation.id}`)).status, 204);
    if (isPending(life)) life.invitation.status = 'revoked';
  },
  wait: (world) => passDays(world, LIFE_DAYS),
  dawdle: (world) => passDays(world, LIFE_DAYS / 2),
  archive: (world, life) => patch(world, life, 'archived'),
  reactivate: (world, life) => patch(world, life, 'active'),
  async remove({ api }, life) {
    const id = life.member?.id ?? life.former.at(-1);
    if (id === undefined) return;
    assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);
    if (life.member) life.former.push(life.member.id);
    life.member = null;
  },
};

async function passDays({ lives, passed }: World, days: number): Promise<void> {
  if (passed.days + days > MAX_DAYS) return;
  passed.days += days;
  clock.advance(days * DAY_MS);
  for (const { invitation } of lives) if (invitation) invitation.leftDays -= days;
}

async function patch({ api }: World, life: Life, status: 'active' | 'archived'): Promise<void> {
  const id = life.member?.id ?? life.former.at(-1);
  if (id === undefined) return;
  const answer = await api.patch(`${ROSTER}/${id}`, { status });
  assert.equal(answer.status, life.member ? 200 : 404);
  if (life.member) life.member.status = status;
}

async function checkWorld({ api, lives }: World): Promise<void> {
  const idsAt = async (path: string): Promise<string[]> =>
    (await api.get(path)).body.data.map(({ id }: { id: string }) => id).sort();
  const membersWith = (status: string) => lives.flatMap(({ member }) => (member?.status === status ? [member.id] : []));
  const shared = lives.flatMap(({ member, userId }) => (member && userId ? [userId] : [])).sort();
  const [active, archived, users, counted] = await Promise.all([
    idsAt(ROSTER),
    idsAt(`${ROSTER}?status=archived`),
    idsAt('/v1/users?limit=100'),
    api.get('/v1/users?page=1'),
    ...lives.map((life) => checkLife(api, life)),
  ]);
  assert.deepEqual(active, membersWith('active').sort());
  assert.deepEqual(archived, membersWith('archived').sort());
  assert.deepEqual(users, shared);
  assert.equal(counted.body.meta.total, shared.length);
}

async function checkLife(api: TestApi, life: Life): Promise<void> {
  const { invitation, userId, member, former } = life;
  if (invitation) {
    assert.equal((await api.get(`${INVITATIONS}/${invitation.id}`)).body.status, invitationStatus(life));
    assert.equal((await openPage(invitation.link)).status, isPending(life) ? 200 : 410);
  }
  if (userId) assert.equal((await api.get(`/v1/users/${userId}`)).status, member ? 200 : 404);
  for (const id of former) assert.equal((await api.get(`${ROSTER}/${id}`)).status, 404);
}

/** Commands that continue a history are drawn more often than commands that end it. */
const step = fc.oneof(
  { arbitrary: fc.constantFrom('invite', 'accept'), weight: 4 },
  { arbitrary: fc.constantFrom('remove', 'archive', 'reactivate'), weight: 3 },
  { arbitrary: fc.constantFrom('wait', 'dawdle', 'revoke', 'decline'), weight: 2 },
);
const steps = fc.array(fc.record({ step, who: fc.nat({ max: 1 }) }), { minLength: 12, maxLength: 30, size: 'max' });

type Taken = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

/** Fixed histories for states that random ones rarely reach. */
const WAYS = [
  ['invite', 'accept', 'remove', 'invite', 'accept', 'archive', 'reactivate'],
  ['invite', 'wait', 'invite', 'accept', 'archive', 'remove'],
] as const;

describe('any history of a roster', () => {
  it('follows the states of the specification', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const api = service.api((await createAccount(service)).live);
        const lives = [newAddress(), newAddress()].map(
          (email): Life => ({ email, invitation: null, member: null, userId: null, former: [] }),
        );
        const world = { api, roster: createRosterSide(api, printed), lives, passed: { days: 0 } };
        for (const { step, who } of taken) {
          const life = lives[who];
          if (life === undefined) continue;
          await STEPS[step]?.(world, life);
          await checkWorld(world);
          seen.add(`${life.member?.status ?? 'none'} ${invitationStatus(life)} ${life.former.length > 0}`);
        }
      }),
      { numRuns: 40, examples: WAYS.map((names): [Taken] => [names.map((step) => ({ step, who: 0 }))]) },
    );
    for (const state of ['none pending true', 'active accepted true', 'archived accepted false', 'none expired false'])
      assert.ok(seen.has(state), `the histories reach "${state}": ${[...seen].join('; ')}`);
  });
});
