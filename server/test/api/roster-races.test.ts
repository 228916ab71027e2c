// Tests two parallel changes of one roster member: the second sees the result of the first.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { INVITATION_MS, type InvitationId, type PersonId } from '../../src/domain/roster.ts';
import { claimPerson, insertInvitation, readPerson } from '../../src/features/people/memberships/index.ts';
import { tidyRosterJob } from '../../src/features/people/roster/index.ts';
import { eraseUserJob } from '../../src/features/people/users/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { submitForm } from '../support/test-pages.ts';
import { createRosterSide, INVITATIONS, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const printed: string[] = [];
const service = await startTestService({ printedLines: printed });
after(() => service.stop());
const { services } = service.running;
const { db } = services;
const account = await createAccount(service);
const api = service.api(account.live);
const roster = createRosterSide(api, printed);

async function waitForLock(query: string): Promise<void> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`;
  await waitUntil('a waiting transaction', async () => (await db.query(sql, [`%${query}%`])).length > 0);
}

describe('an erasure', () => {
  it('during an acceptance leaves the person with a new user', async () => {
    const email = newAddress();
    const before = await roster.join(email);
    await api.delete(`${ROSTER}/${before.id}`);
    const { id, link } = await roster.invite(email);
    const accepting = await db.transaction(async (tx) => {
      await tx.query(`update users set status = 'deleting' where id = $1`, [before.user_id]);
      const answer = submitForm(link, { decision: 'allow' });
      await waitForLock('for update of u');
      return { answer };
    });
    assert.equal((await accepting.answer).status, 303);
    const { member_id } = (await api.get(`${INVITATIONS}/${id}`)).body;
    assert.notEqual((await api.get(`${ROSTER}/${member_id}`)).body.user_id, before.user_id);
  });

  it('that is late does not affect a later membership and its invitation', async () => {
    const email = newAddress();
    const before = await roster.join(email);
    await api.delete(`${ROSTER}/${before.id}`);
    await db.query(`update users set status = 'deleting' where id = $1`, [before.user_id]);
    const { id, link } = await roster.invite(email);
    await submitForm(link, { decision: 'allow' });
    await eraseUserJob.run(services, { user_id: before.user_id });
    const invitation = await api.get(`${INVITATIONS}/${id}`);
    assert.deepEqual([invitation.status, invitation.body.status], [200, 'accepted']);
    assert.equal((await api.get(`${ROSTER}/${invitation.body.member_id}`)).status, 200);
    assert.deepEqual(await db.query('select 1 from roster_members where id = $1', [before.id]), []);
  });
});

describe('the removal of old invitations', () => {
  /** The newest invitation of the address ended long ago without an answer. */
  async function inviteWithoutAnswer(email: string): Promise<void> {
    const { id } = await roster.invite(email);
    await api.delete(`${INVITATIONS}/${id}`);
    await db.query(`update roster_invitations set decided_at = decided_at - interval '91 days' where id = $1`, [id]);
  }

  it('keeps a person who is invited at the same time', async () => {
    const email = newAddress();
    await inviteWithoutAnswer(email);
    const now = services.clock.now();
    const { tidied, personId } = await db.transaction(async (tx) => {
      const personId = await claimPerson(tx, email, now);
      await insertInvitation(tx, {
        id: newId<InvitationId>(),
        accountId: account.id as never,
        personId,
        email,
        name: null,
        externalRef: null,
        message: null,
        status: 'pending',
        createdAt: now,
        expiresAt: new Date(now.getTime() + INVITATION_MS),
        decidedAt: null,
        memberId: null,
      });
      const tidied = tidyRosterJob.run(services, {} as never);
      await waitForLock('roster_people');
      return { tidied: { done: tidied }, personId };
    });
    await tidied.done;
    assert.ok(await readPerson(db, personId as PersonId));
  });
});
