import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findObstacle,
  INVITATION_STATUSES,
  invitationStatusAt,
  moveInvitation,
  moveMember,
  normalizeAddress,
} from './roster.ts';

const END = new Date('2026-03-15T12:00:00.000Z');
const before = new Date(END.getTime() - 1);
const pending = { status: 'pending', expiresAt: END } as const;

describe('an invitation', () => {
  it('is expired from the very moment on, and only if nobody decided before', () => {
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
  it('is archived and reactivated at will, and removed once', () => {
    for (const status of ['active', 'archived'] as const) {
      assert.equal(moveMember(status, 'archive'), 'archived');
      assert.equal(moveMember(status, 'reactivate'), 'active');
      assert.equal(moveMember(status, 'remove'), 'removed');
    }
    for (const move of ['archive', 'reactivate', 'remove'] as const) assert.equal(moveMember('removed', move), null);
  });
});

describe('findObstacle', () => {
  it('lets an address be invited again after everything but a pending invitation and a membership', () => {
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
  it('makes one of all ways to write it', () => {
    assert.equal(normalizeAddress('Ada.Lovelace@Example.ORG'), 'ada.lovelace@example.org');
    assert.equal(normalizeAddress('JOSE\u0301@example.org'), normalizeAddress('jos\u00e9@example.org'));
  });
});
