// Tests the hosted pages of an invitation: their texts, the states of a link, and that reading changes nothing.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { openPage, submitForm } from '../support/test-pages.ts';
import { createRosterSide, INVITATIONS, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const clock = createFrozenClock();
const printed: string[] = [];
const logLines: string[] = [];
const environment = { TRIBUTARY_OURA_CLIENT_ID: 'tributary', TRIBUTARY_OURA_CLIENT_SECRET: 'secret' };
const service = await startTestService({ clock, printedLines: printed, logLines, environment });
after(() => service.stop());
const account = await createAccount(service);
const api = service.api(account.live);
const roster = createRosterSide(api, printed);
const statusOf = async (id: string) => (await api.get(`${INVITATIONS}/${id}`)).body.status;

describe('GET /invitations/{token}', () => {
  it('200 names the organization and the purpose, with two buttons; reading changes nothing', async () => {
    const email = newAddress();
    const { id, link } = await roster.invite(email, { name: 'Ada', message: 'Hi <b>Ada</b>,\nsee you' });
    for (const _look of [1, 2, 3]) {
      const page = await openPage(link);
      assert.equal(page.status, 200);
      assert.ok(page.title.includes(account.name));
      for (const part of [email, 'Ada', 'sleep, with its stages', 'Hi &#60;b&#62;Ada&#60;/b&#62;'])
        assert.ok(page.text.includes(part), part);
      assert.match(page.text, /<form method="post"[^>]*>\s*<button[^>]* name="decision" value="allow">/);
      assert.match(page.text, /<button name="decision" value="deny"/);
    }
    assert.equal(await statusOf(id), 'pending');
  });

  it('404 for an unknown link', async () => {
    const { link } = await roster.invite(newAddress());
    const forged = link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A');
    for (const url of [forged, `${service.url}/invitations/x`, `${service.url}/invitations/inv_${'0'.repeat(60)}`]) {
      assert.equal((await openPage(url)).status, 404);
      assert.equal((await submitForm(url, { decision: 'allow' })).status, 404);
      assert.equal((await openPage(`${url}/connect`)).status, 404);
    }
  });

  it('404 for the token of the privacy portal, and the reverse', async () => {
    const { link, portalLink } = await roster.invite(newAddress());
    const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
    assert.equal((await openPage(`${service.url}/invitations/${tokenOf(portalLink)}`)).status, 404);
    assert.equal((await openPage(`${service.url}/my-data/${tokenOf(link)}`)).status, 404);
  });

  it('410 for a link that is used, revoked, declined or expired, each with its own text', async () => {
    const used = await roster.invite(newAddress());
    const revoked = await roster.invite(newAddress());
    const declined = await roster.invite(newAddress());
    const expired = await roster.invite(newAddress());
    assert.equal((await submitForm(declined.link, { decision: 'deny' })).status, 200);
    assert.equal(await statusOf(declined.id), 'revoked');
    await api.delete(`${INVITATIONS}/${revoked.id}`);
    await submitForm(used.link, { decision: 'allow' });
    clock.advance(14 * DAY_MS);
    for (const [{ link, id }, words] of [
      [used, /has already been accepted/],
      [revoked, /is no longer valid/],
      [declined, /is no longer valid/],
      [expired, /has expired/],
    ] as const) {
      const before = await statusOf(id);
      for (const page of [
        await openPage(link),
        await submitForm(link, { decision: 'allow' }),
        await submitForm(link, { decision: 'deny' }),
      ]) {
        assert.equal(page.status, 410);
        assert.match(page.title, words);
      }
      assert.equal(await statusOf(id), before);
    }
  });
});

describe('POST /invitations/{token}', () => {
  it('303 to the page that connects a device, for half an hour', async () => {
    const { id, link } = await roster.invite(newAddress());
    const accepted = await submitForm(link, { decision: 'allow' });
    assert.deepEqual([accepted.status, accepted.location], [303, `${link}/connect`]);
    assert.equal(await statusOf(id), 'accepted');
    const page = await openPage(`${link}/connect`);
    assert.equal(page.status, 200);
    assert.ok(page.title.includes(account.name));
    const offered = [...page.text.matchAll(/name="provider" value="([^"]+)"/g)].map(([, provider]) => provider);
    assert.deepEqual(offered, ['oura'], 'providers with credentials only');
    assert.equal((await submitForm(`${link}/connect`, { provider: 'garmin' })).status, 409);
    const connecting = await submitForm(`${link}/connect`, { provider: 'oura' });
    assert.equal(connecting.status, 303);
    assert.match(await (await fetch(connecting.location ?? '')).text(), /name="decision" value="allow"/);
    const again = await openPage(link);
    assert.equal(again.status, 410);
    assert.match(again.text, /href="[^"]*\/connect"/);
    clock.advance(30 * MINUTE_MS);
    assert.equal((await openPage(`${link}/connect`)).status, 410);
    assert.doesNotMatch((await openPage(link)).text, /\/connect"/);
  });

  it('303 for one of many clicks', async () => {
    const { link } = await roster.invite(newAddress());
    const pages = await Promise.all([1, 2, 3, 4].map(() => submitForm(link, { decision: 'allow' })));
    assert.deepEqual(pages.map(({ status }) => status).sort(), [303, 410, 410, 410]);
  });

  it('400 for a form without a decision, a JSON body, and no provider; 409 for a provider that cannot be connected', async () => {
    const { id, link } = await roster.invite(newAddress());
    assert.equal((await submitForm(link, {})).status, 400);
    assert.equal((await submitForm(link, { decision: 'maybe' })).status, 400);
    const body = JSON.stringify({ decision: 'allow' });
    const headers = { 'content-type': 'application/json' };
    assert.equal((await fetch(link, { method: 'POST', body, headers })).status, 400);
    assert.equal(await statusOf(id), 'pending');
    await submitForm(link, { decision: 'allow' });
    assert.equal((await submitForm(`${link}/connect`, {})).status, 400);
    assert.equal((await submitForm(`${link}/connect`, { provider: 'nobody' })).status, 409);
  });

  it('410 when connecting after the person has left', async () => {
    const { link, id } = await roster.join(newAddress());
    assert.equal((await api.delete(`${ROSTER}/${id}`)).status, 204);
    assert.equal((await openPage(`${link}/connect`)).status, 410);
    assert.equal((await submitForm(`${link}/connect`, { provider: 'nobody' })).status, 410);
  });

  it('303 back to the invitation when connecting before the answer', async () => {
    const { id, link } = await roster.invite(newAddress());
    for (const page of [await openPage(`${link}/connect`), await submitForm(`${link}/connect`, { provider: 'x' })])
      assert.deepEqual([page.status, page.location], [303, link]);
    assert.equal(await statusOf(id), 'pending');
  });
});

describe('links', () => {
  it('are in no table and no log', async () => {
    const email = newAddress();
    const { link, portalLink } = await roster.join(email);
    await openPage(portalLink);
    const { db } = service.running.services;
    const rows = await db.query<{ text: string }>(
      `select to_jsonb(t)::text as text from roster_invitations t union all select to_jsonb(t)::text from roster_members t
       union all select to_jsonb(t)::text from roster_people t union all select payload::text from graphile_worker._private_jobs`,
    );
    const stored = rows.map(({ text }) => text).join('\n');
    assert.ok(stored.includes(email));
    for (const url of [link, portalLink]) {
      const token = url.slice(url.lastIndexOf('/') + 1);
      assert.ok(!stored.includes(token));
      assert.ok(!logLines.some((line) => line.includes(token) || line.includes(email)));
    }
  });
});
