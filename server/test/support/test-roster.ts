// The roster for tests: invitations whose links are read through the operator API, without a mail server.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JsonBody, TestApi } from './test-api.ts';
import { submitForm } from './test-pages.ts';

export const ROSTER = '/v1/team/roster';
export const INVITATIONS = `${ROSTER}/invitations`;

export function newAddress(): string {
  return `ada.${randomUUID()}@example.org`;
}

export type RosterSide = {
  invite(email: string, fields?: object): Promise<JsonBody & { link: string; portalLink: string }>;
  /** Invites and accepts; returns the member. */
  join(email: string, fields?: object): Promise<JsonBody & { link: string; portalLink: string }>;
};

export function createRosterSide(api: TestApi, printed: readonly string[]): RosterSide {
  const invite: RosterSide['invite'] = async (email, fields = {}) => {
    const answer = await api.post(INVITATIONS, { email, ...fields });
    assert.equal(answer.status, 201, answer.text);
    const linkIn = (path: string) =>
      printed.findLast((line) => line.includes(email) && line.includes(path))?.match(/http\S+/)?.[0];
    return { ...answer.body, link: linkIn('/invitations/') ?? '', portalLink: linkIn('/my-data/') ?? '' };
  };
  return {
    invite,
    async join(email, fields) {
      const { id, link, portalLink } = await invite(email, fields);
      assert.equal((await submitForm(link, { decision: 'allow' })).status, 303);
      const { member_id } = (await api.get(`${INVITATIONS}/${id}`)).body;
      const member = await api.get(`${ROSTER}/${member_id}`);
      assert.equal(member.status, 200, member.text);
      return { ...member.body, link, portalLink };
    },
  };
}
