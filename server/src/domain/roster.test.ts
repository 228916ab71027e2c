import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findObstacle,
  INVITATION_STATUSES,
  invitationStatusAt,
  LINK_MAILS_PER_DAY,
  linkMailWaitMs,
  moveInvitation,
  moveMember,
  normalizeAddress,
  PORTAL_LINK_MS,
  portalLinkStatusAt,
} from './roster.ts';
import { DAY_MS, MINUTE_MS } from './time/durations.ts';

const END = new Date('2026-03-15T12:00:00.000Z');
const before = new Date(END.getTime() - 1);
const pending = { status: 'pending', expiresAt: END } as const;

describe('an invitation', () => {
  it('expires at the exact moment, and only if it is still undecided', () => {
    assert.equal(invitationStatusAt(pending, before), 'pending');
    assert.equal(invitationStatusAt(pending, END), 'expired');
    for (const status of ['accepted', 'revoked'] as const)
      assert.equal(invitationStatusAt({ status, expiresAt: END }, END), status);
  });

  it('is decided once', () => {
    assert.deepEqual(moveInvitation(pending, 'accept', before), { isMoved: true, status: 'accepted' });
    assert.deepEqual(moveInvitation(pending, 'revoke', before), { isMoved: true, status: 'revoked' });
    for (const move of ['accept', 'revoke'] as const) {
      assert.deepEqual(moveInvitation(pending, move, END), { isMoved: false, status: 'expired' });
      for (const status of INVITATION_STATUSES.filter((one) => one !== 'pending'))
        assert.deepEqual(moveInvitation({ status, expiresAt: END }, move, before), { isMoved: false, status });
    }
  });
});

describe('a member', () => {
  it('is archived and reactivated any number of times, and removed once', () => {
    for (const status of ['active', 'archived'] as const) {
      assert.equal(moveMember(status, 'archive'), 'archived');
      assert.equal(moveMember(status, 'reactivate'), 'active');
      assert.equal(moveMember(status, 'remove'), 'removed');
    }
    for (const move of ['archive', 'reactivate', 'remove'] as const) assert.equal(moveMember('removed', move), null);
  });
});

describe('findObstacle', () => {
  it('allows a new invitation of an address unless an invitation is pending or the address is a member', () => {
    const obstacleOf = (status: (typeof INVITATION_STATUSES)[number], now: Date) =>
      findObstacle({ invitation: { status, expiresAt: END }, member: null, now });
    assert.deepEqual(
      INVITATION_STATUSES.map((status) => obstacleOf(status, before)),
      ['already_invited', null, null, null],
    );
    assert.equal(obstacleOf('pending', END), null);
    assert.equal(findObstacle({ invitation: null, member: null, now: before }), null);
    for (const member of ['active', 'archived'] as const)
      assert.equal(findObstacle({ invitation: pending, member, now: before }), 'already_member');
  });
});

describe('normalizeAddress', () => {
  it('normalizes all ways to write the same address', () => {
    assert.equal(normalizeAddress('Ada.Lovelace@Example.ORG'), 'ada.lovelace@example.org');
    assert.equal(normalizeAddress('JOSE\u0301@example.org'), normalizeAddress('jos\u00e9@example.org'));
  });
});

describe('a link to the privacy portal', () => {
  const issuedAt = END;
  const after = (ms: number) => new Date(END.getTime() + ms);

  it('expires 30 days after it was issued, to the millisecond', () => {
    assert.equal(PORTAL_LINK_MS, 30 * DAY_MS);
    assert.equal(portalLinkStatusAt({ version: 3, issuedAt }, 3, after(PORTAL_LINK_MS - 1)), 'valid');
    assert.equal(portalLinkStatusAt({ version: 3, issuedAt }, 3, after(PORTAL_LINK_MS)), 'expired');
  });

  it('is replaced as soon as its member has a newer version', () => {
    for (const version of [1, 2, 4])
      for (const ms of [0, PORTAL_LINK_MS])
        assert.equal(portalLinkStatusAt({ version, issuedAt }, 3, after(ms)), 'replaced');
  });

  it('is mailed five times within any 24 hours', () => {
    const requests = Array.from({ length: LINK_MAILS_PER_DAY }, (_, index) => after(-index * MINUTE_MS));
    assert.equal(linkMailWaitMs(requests.slice(1), END), 0);
    const waitMs = linkMailWaitMs(requests, END);
    assert.equal(waitMs, DAY_MS - (LINK_MAILS_PER_DAY - 1) * MINUTE_MS);
    assert.equal(linkMailWaitMs(requests, after(waitMs)), 0);
  });
});
