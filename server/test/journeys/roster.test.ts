// A person's journey through the roster, by mails of a real server: invited, accepted, removed, back, and leaving.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readOpenJobs } from '../../src/platform/jobs/job-queue.ts';
import { type ReceivedMail, startMailSink } from '../support/mail-sink.ts';
import { openPage, submitForm } from '../support/test-pages.ts';
import { INVITATIONS, newAddress, ROSTER } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const sink = await startMailSink();
const printed: string[] = [];
const logLines: string[] = [];
const service = await startTestService({
  environment: { TRIBUTARY_SMTP_URL: sink.url },
  printedLines: printed,
  logLines,
});
after(async () => {
  await service.stop();
  await sink.close();
});
const account = await createAccount(service);
const api = service.api(account.live);

function linkIn(mail: ReceivedMail | undefined, path: string): string {
  const link = mail?.text.match(new RegExp(`^${service.url}${path}/\\S+$`, 'm'))?.[0];
  assert.ok(link, `a link to ${path} in: ${mail?.text}`);
  assert.ok(mail?.html.includes(`href="${link}"`), 'the same in HTML');
  return link;
}

describe('a person', () => {
  it('is invited by mail, accepts, is removed, comes back and leaves on their own', async () => {
    const email = newAddress();
    const body = { email, name: 'Ada Łovelace', message: 'See <you>\nthere' };
    const invitation = await api.post(INVITATIONS, body);
    assert.equal(invitation.status, 201, invitation.text);
    const [invited] = await sink.wait(email, 1);
    const link = linkIn(invited, '/invitations');
    assert.equal((await openPage(link)).status, 200);
    assert.equal((await submitForm(link, { decision: 'allow' })).status, 303);
    const { member_id } = (await api.get(`${INVITATIONS}/${invitation.body.id}`)).body;
    const { user_id } = (await api.get(`${ROSTER}/${member_id}`)).body;
    const [, joined] = await sink.wait(email, 2);
    const pages = await Promise.all([invited, joined].map((mail) => openPage(linkIn(mail, '/my-data'))));
    assert.equal(pages[0]?.text, pages[1]?.text, 'one person has one portal');

    assert.equal((await api.delete(`${ROSTER}/${member_id}`)).status, 204);
    const [, , removed] = await sink.wait(email, 3);
    const portalLink = linkIn(removed, '/my-data');
    assert.match((await openPage(portalLink)).text, /Not shared/);

    await api.post(INVITATIONS, { email });
    const again = (await sink.wait(email, 4)).at(-1);
    await submitForm(linkIn(again, '/invitations'), { decision: 'allow' });
    assert.equal((await api.get(`/v1/users/${user_id}`)).status, 200, 'back, with the same user');
    const member = (await api.get(ROSTER)).body.data.find((one: { user_id: string }) => one.user_id === user_id);
    assert.match((await submitForm(portalLink, { member: member.id, decision: 'stop_now' })).text, /no longer share/);
    assert.equal((await api.get(`/v1/users/${user_id}`)).status, 404);
    await sink.wait(email, 6);
    assert.deepEqual(printed, [], 'nothing is printed if there is a mail server');
  });

  it('gets mail that tracks nothing, in text and HTML, from the configured sender', async () => {
    const email = newAddress();
    await api.post(INVITATIONS, { email, name: 'Ada', message: '<img src="https://example.org/x.png"> & more' });
    const [mail] = await sink.wait(email, 1);
    assert.equal(mail?.from, 'roster@tributary.example');
    assert.match(mail?.headers ?? '', /^Auto-Submitted: auto-generated$/m);
    assert.doesNotMatch(mail?.html ?? '', /<img|<script|<link|url\(|@import/i);
    const hosts = [...(mail?.html ?? '').matchAll(/href="([^"]+)"/g)].map(([, href]) => new URL(href ?? '').origin);
    assert.deepEqual(new Set(hosts), new Set([service.url]));
    assert.ok(mail?.text.includes('> <img src="https://example.org/x.png"> & more'));
  });
});

describe('the mail server', () => {
  const openMails = () => readOpenJobs(service.running.services.db, { name: 'send_roster_mail' });

  it('may be down for a while: the mail is sent again', async () => {
    const email = newAddress();
    sink.refuseWith(451);
    await api.post(INVITATIONS, { email });
    await waitUntil('a rejection', () => sink.refusals() > 0);
    sink.refuseWith(null);
    assert.equal((await sink.wait(email, 1)).length, 1);
    assert.ok(logLines.some((line) => line.includes('job failed, retrying') && line.includes('451')));
    assert.ok(!logLines.some((line) => line.includes(email)), 'the log has no personal data');
  });

  it('may reject permanently: then the mail is not sent again', async () => {
    const before = sink.refusals();
    sink.refuseWith(550);
    const { body } = await api.post(INVITATIONS, { email: newAddress() });
    await waitUntil('a rejection', () => sink.refusals() > before);
    await waitUntil('the end of the job', async () => (await openMails()).open === 0);
    sink.refuseWith(null);
    assert.equal(sink.refusals(), before + 1);
    assert.ok(logLines.some((line) => line.includes('permanently rejected a roster mail') && line.includes(body.id)));
  });

  it('gets no welcome mail for a member who left before it could be sent', async () => {
    const email = newAddress();
    const { body } = await api.post(INVITATIONS, { email });
    const [invited] = await sink.wait(email, 1);
    const before = sink.refusals();
    sink.refuseWith(451);
    await submitForm(linkIn(invited, '/invitations'), { decision: 'allow' });
    await waitUntil('a rejection', () => sink.refusals() > before);
    const { member_id } = (await api.get(`${INVITATIONS}/${body.id}`)).body;
    assert.equal((await api.delete(`${ROSTER}/${member_id}`)).status, 204);
    sink.refuseWith(null);
    const mails = await sink.wait(email, 2);
    await waitUntil('the end of the jobs', async () => (await openMails()).open === 0);
    assert.deepEqual(
      sink.received.filter(({ to }) => to === email),
      mails,
    );
    assert.match(mails.at(-1)?.headers ?? '', /^Subject: You no longer share/m);
  });

  it('gets no mail of an invitation that was revoked before it could be sent', async () => {
    const email = newAddress();
    const before = sink.refusals();
    sink.refuseWith(451);
    const { body } = await api.post(INVITATIONS, { email });
    await waitUntil('a rejection', () => sink.refusals() > before);
    assert.equal((await api.delete(`${INVITATIONS}/${body.id}`)).status, 204);
    sink.refuseWith(null);
    await waitUntil('the end of the job', async () => (await openMails()).open === 0);
    assert.ok(!sink.received.some(({ to }) => to === email));
  });
});
