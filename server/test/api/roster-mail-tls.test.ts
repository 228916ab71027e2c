// A mail server without STARTTLS gets no mail, and the operator sees the reason.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { startMailSink } from '../support/mail-sink.ts';
import { INVITATIONS, newAddress } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const sink = await startMailSink();
const logLines: string[] = [];
const service = await startTestService({
  environment: { TRIBUTARY_SMTP_URL: `smtp://127.0.0.1:${sink.port}` },
  logLines,
});
after(async () => {
  await service.stop();
  await sink.close();
});

it('fails the mail job with a message that names the setting, and sends nothing in clear text', async () => {
  const email = newAddress();
  assert.equal((await service.api().post(INVITATIONS, { email })).status, 201);
  const line = await waitUntil('the failure in the log', () => logLines.find((one) => one.includes('STARTTLS')));
  assert.match(line ?? '', /does not offer STARTTLS.*TRIBUTARY_SMTP_URL/);
  const job = await waitUntil('the failure of the job', async () => {
    const [row] = await service.running.services.db.query<{ attempts: number; last_error: string | null }>(
      `select attempts, last_error from graphile_worker.jobs where task_identifier = 'send_roster_mail'`,
    );
    return row?.last_error === null ? undefined : row;
  });
  assert.equal(job?.attempts, 1);
  assert.match(job?.last_error ?? '', /does not offer STARTTLS/);
  assert.deepEqual([sink.senders(), sink.received.length], [0, 0]);
  assert.ok(!logLines.join('').includes(email), 'the log does not contain the address');
});
