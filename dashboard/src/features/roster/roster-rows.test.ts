import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RosterInvitation, RosterMember } from './queries.ts';
import { filterRows, toRows } from './roster-rows.ts';

const invitation = (id: string, status: RosterInvitation['status'], day: string): RosterInvitation => ({
  id,
  email: `${id}@example.org`,
  name: null,
  external_ref: null,
  status,
  created_at: `2026-03-${day}T12:00:00Z`,
  expires_at: '2026-04-01T12:00:00Z',
  member_id: status === 'accepted' ? 'm' : null,
});
const member: RosterMember = {
  id: 'm',
  user_id: 'u',
  name: 'Ada',
  email: 'ada@example.org',
  external_ref: 'ada-1',
  status: 'active',
  joined_at: '2026-03-05T12:00:00Z',
};

describe('the rows of the roster', () => {
  const rows = toRows(
    [invitation('new', 'pending', '09'), invitation('gone', 'accepted', '04'), invitation('old', 'expired', '01')],
    [member],
  );

  it('list members and open or ended invitations, newest first', () => {
    assert.deepEqual(
      rows.map(({ key, state }) => `${key} ${state}`),
      ['new pending', 'm active', 'old expired'],
    );
  });

  it('are filtered by what they mean', () => {
    assert.deepEqual(
      (['all', 'invited', 'sharing', 'archived', 'ended'] as const).map((view) => filterRows(rows, view).length),
      [3, 1, 1, 0, 1],
    );
  });
});
