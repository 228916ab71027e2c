// Tests links to the privacy portal: they expire, the person and the operator can replace them, and a new one can be requested.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { startMailSink } from '../support/mail-sink.ts';
import { createMovableClock } from '../support/test-clock.ts';
import { openPage, submitForm } from '../support/test-pages.ts';
import { createRosterSide, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const LIFETIME_DAYS = 30;
const MAILS_PER_DAY = 5;
const SEND = { decision: 'send_link' };
const REPLACE = { decision: 'replace_link' };

const clock = createMovableClock();
const printed: string[] = [];
const service = await startTestService({ clock, printedLines: printed });
const sink = await startMailSink();
const mailing = await startTestService({ clock, environment: { TRIBUTARY_SMTP_URL: sink.url } });
after(async () => {
  await service.stop();
  await mailing.stop();
  await sink.close();
});
const account = await createAccount(service);
const api = service.api(account.live);
const roster = createRosterSide(api, printed);

const linkIn = (text: string) => /http\S+\/my-data\/\w+/.exec(text)?.[0] ?? '';
const printedLink = (email: string) =>
  linkIn(printed.findLast((line) => line.includes(email) && linkIn(line) !== '') ?? '');

describe('the lifetime of a link', () => {
  it('is 30 days from the mail that contained it', async () => {
    const { portalLink } = await roster.join(newAddress());
    clock.advance(LIFETIME_DAYS * DAY_MS - 2 * SECOND_MS);
    assert.equal((await openPage(portalLink)).status, 200);
    clock.advance(3 * SECOND_MS);
    const expired = await openPage(portalLink);
    assert.equal(expired.status, 410);
    assert.match(expired.title, /expired/);
    assert.match(expired.text, /value="send_link"/);
  });

  it('does not depend on later mails, which neither extend nor end it', async () => {
    const email = newAddress();
    const first = await roster.join(email);
    clock.advance(20 * DAY_MS);
    await api.delete(`${ROSTER}/${first.id}`);
    const later = printedLink(email);
    assert.notEqual(later, first.portalLink);
    assert.equal((await openPage(first.portalLink)).status, 200);
    clock.advance(11 * DAY_MS);
    assert.equal((await openPage(first.portalLink)).status, 410);
    assert.equal((await openPage(later)).status, 200);
  });

  it('is over for links of earlier versions without version or time: 410 with a button for a new one', async () => {
    const email = newAddress();
    await roster.join(email);
    const { db, linkTokens } = service.running.services;
    const [person] = await db.query<{ id: string }>('select id from roster_people where address = $1', [email]);
    const former = `${service.url}/my-data/${linkTokens.encode('my_', { id: person?.id ?? '', version: 1 })}`;
    const page = await openPage(former);
    assert.deepEqual([page.status, /value="send_link"/.test(page.text)], [410, true]);
    assert.equal((await submitForm(former, SEND)).status, 200);
    assert.equal((await openPage(printedLink(email))).status, 200);
  });

  it('410 for every button of an expired page except the one that sends a new link', async () => {
    const fresh = createRosterSide(service.api((await createAccount(service)).live), printed);
    const { portalLink, id, user_id } = await fresh.join(newAddress());
    clock.advance(LIFETIME_DAYS * DAY_MS + SECOND_MS);
    for (const decision of ['stop', 'export', 'erase', 'erase_for_good', 'keep', 'replace_link', '']) {
      const answer = await submitForm(portalLink, { member: id, decision });
      assert.equal(answer.status, 410, decision);
      assert.match(answer.text, /value="send_link"/);
    }
    const { db } = service.running.services;
    assert.deepEqual(await db.query('select status from users where id = $1', [user_id]), [{ status: 'active' }]);
  });
});

describe('"Send me a new link"', () => {
  it('200 prints a working link for the operator if there is no mail server, and shows neither link nor address', async () => {
    const side = createRosterSide(service.api((await createAccount(service)).live), printed);
    const email = newAddress();
    const { portalLink } = await side.join(email);
    clock.advance(LIFETIME_DAYS * DAY_MS + SECOND_MS);
    const sent = await submitForm(portalLink, SEND);
    assert.equal(sent.status, 200);
    const link = printedLink(email);
    assert.notEqual(link, portalLink);
    assert.equal((await openPage(link)).status, 200);
    assert.equal((await openPage(portalLink)).status, 410, 'the expired one stays expired');
    for (const page of [sent, await openPage(portalLink)]) {
      assert.ok(!page.text.includes(email), 'no address');
      assert.equal(linkIn(page.text), '', 'no link');
    }
  });

  it('200 mails it to the address as the organization wrote it', async () => {
    const email = newAddress().replace('ada.', 'Ada.');
    const side = mailing.api((await createAccount(mailing)).live);
    assert.equal((await side.post(`${ROSTER}/invitations`, { email })).status, 201);
    const [invitation] = await sink.wait(email, 1);
    const first = linkIn(invitation?.text ?? '');
    clock.advance(LIFETIME_DAYS * DAY_MS + SECOND_MS);
    assert.equal((await submitForm(first, SEND)).status, 200);
    const [, mail] = await sink.wait(email, 2);
    assert.equal((await openPage(linkIn(mail?.text ?? ''))).status, 200);
    assert.match(mail?.text ?? '', /The link expires on \d+ \w+ \d{4}\./);
  });

  it('429 with Retry-After beyond five mails per day to one person, whatever link is used; others are not limited', async () => {
    const side = createRosterSide(service.api((await createAccount(service)).live), printed);
    const email = newAddress();
    const [one, other] = [await side.join(email), await side.join(newAddress())];
    clock.advance(LIFETIME_DAYS * DAY_MS + SECOND_MS);
    for (let count = 0; count < MAILS_PER_DAY; count += 1)
      assert.equal((await submitForm(one.portalLink, SEND)).status, 200);
    const lines = printed.length;
    const refused = await submitForm(one.portalLink, SEND);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 23 * 3_600);
    assert.equal(printed.length, lines, 'nothing more is sent');
    assert.equal((await submitForm(other.portalLink, SEND)).status, 200);
    clock.advance(24 * HOUR_MS);
    assert.equal((await submitForm(one.portalLink, SEND)).status, 200);
  });

  it('429 for one of two parallel requests if only one more is allowed', async () => {
    const side = createRosterSide(service.api((await createAccount(service)).live), printed);
    const { portalLink } = await side.join(newAddress());
    clock.advance(LIFETIME_DAYS * DAY_MS + SECOND_MS);
    for (let count = 1; count < MAILS_PER_DAY; count += 1) await submitForm(portalLink, SEND);
    const answers = await Promise.all([submitForm(portalLink, SEND), submitForm(portalLink, SEND)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 429]);
  });

  it('404 for an unknown link and for an erased person', async () => {
    const side = createRosterSide(service.api((await createAccount(service)).live), printed);
    const { portalLink } = await side.invite(newAddress());
    assert.equal((await submitForm(`${portalLink}x`, SEND)).status, 404);
    await service.running.services.db.query(
      'delete from roster_people where id = (select max(id::text)::uuid from roster_people)',
    );
    assert.equal((await submitForm(portalLink, SEND)).status, 404);
  });

  it('400 while the link is still valid', async () => {
    const { portalLink } = await createRosterSide(service.api((await createAccount(service)).live), printed).join(
      newAddress(),
    );
    assert.equal((await submitForm(portalLink, SEND)).status, 400);
  });
});

describe('"Get a new link"', () => {
  it('200 revokes every earlier link, and sends a working one', async () => {
    const side = createRosterSide(service.api((await createAccount(service)).live), printed);
    const email = newAddress();
    const { portalLink: oldest } = await side.join(email);
    clock.advance(DAY_MS);
    const organization = createRosterSide(service.api((await createAccount(service)).live), printed);
    const { portalLink } = await organization.join(email);
    assert.match((await openPage(portalLink)).text, /value="replace_link"/);
    const replaced = await submitForm(portalLink, REPLACE);
    assert.equal(replaced.status, 200);
    assert.equal(linkIn(replaced.text), '', 'a stolen link does not receive the new one');
    const fresh = printedLink(email);
    assert.equal((await openPage(fresh)).status, 200);
    for (const ended of [oldest, portalLink]) {
      const page = await openPage(ended);
      assert.equal(page.status, 410);
      assert.match(page.title, /no longer valid/);
      assert.match(page.text, /value="send_link"/);
      assert.equal((await submitForm(ended, REPLACE)).status, 410);
    }
    assert.equal((await submitForm(portalLink, SEND)).status, 200);
    assert.equal((await openPage(fresh)).status, 200, 'another link by mail revokes none');
  });

  it('revokes links of the same second', async () => {
    const side = createRosterSide(service.api((await createAccount(service)).live), printed);
    const email = newAddress();
    const { portalLink } = await side.join(email);
    await submitForm(portalLink, REPLACE);
    const second = printedLink(email);
    await submitForm(second, REPLACE);
    const third = printedLink(email);
    assert.deepEqual(
      await Promise.all([portalLink, second, third].map(async (link) => (await openPage(link)).status)),
      [410, 410, 200],
    );
  });
});

describe('POST /admin/roster/rotate-link', () => {
  it('200 revokes all links of the address, in any letter case, and sends a new one', async () => {
    const side = createRosterSide(service.api((await createAccount(service)).live), printed);
    const email = newAddress();
    const { portalLink } = await side.join(email);
    const answer = await service.operator().post('/admin/roster/rotate-link', { email: email.toUpperCase() });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { email, sent_by: 'stdout' });
    assert.equal((await openPage(portalLink)).status, 410);
    assert.equal((await openPage(printedLink(email))).status, 200);
  });

  it('404 for an address that was never invited', async () => {
    const answer = await service.operator().post('/admin/roster/rotate-link', { email: newAddress() });
    assert.equal(answer.status, 404);
  });
});
