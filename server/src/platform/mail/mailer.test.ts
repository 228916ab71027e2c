// Mail over smtp:// is encrypted by STARTTLS or not sent at all, unless the operator says otherwise.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { startMailSink } from '../../../test/support/mail-sink.ts';
import { html } from '../pages/html.ts';
import { createMailer, type Mail } from './mailer.ts';

const plain = await startMailSink();
const encrypting = await startMailSink({ starttls: true });
after(async () => {
  await plain.close();
  await encrypting.close();
});

const mail: Mail = {
  to: { name: null, address: 'ada@example.org' },
  subject: 'Hello',
  text: 'Hello',
  fromName: null,
  inline: null,
  html: html`<p>Hello</p>`,
};
const send = (url: string) => createMailer(url, () => 'http://127.0.0.1:8080').send(mail);
const urlOf = (sink: { port: number }, query = '') => `smtp://user:password@127.0.0.1:${sink.port}${query}`;

/** Neither the password nor a sender was said, and no mail came. */
function traces(sink: typeof plain) {
  return { logins: sink.logins(), senders: sink.senders(), mails: sink.received.length };
}

describe('smtp://', () => {
  it('sends nothing to a server without STARTTLS, and says why', async () => {
    const before = traces(plain);
    await assert.rejects(send(urlOf(plain)), /does not offer STARTTLS.*smtps:\/\/.*starttls=optional/);
    assert.deepEqual(traces(plain), before);
  });

  it('sends nothing to a server that refuses STARTTLS or does not know EHLO', async () => {
    for (const answers of [
      { EHLO: '250-mail.test\r\n250 STARTTLS', STARTTLS: '454 not now' },
      { EHLO: '502 unknown', HELO: '250 mail.test', STARTTLS: '502 unknown' },
    ] as Record<string, string>[]) {
      const commands: string[] = [];
      const server = createServer((socket) => {
        after(() => socket.destroy());
        socket.on('error', () => undefined);
        socket.write('220 mail.test\r\n');
        socket.on('data', (data) => {
          const command = data.toString().split(/[ \r]/, 1)[0] ?? '';
          commands.push(command);
          socket.write(`${answers[command] ?? '250 ok'}\r\n`);
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      await assert.rejects(send(urlOf({ port: (server.address() as AddressInfo).port })), /does not offer STARTTLS/);
      assert.ok(commands.includes('EHLO'));
      assert.deepEqual(
        commands.filter((command) => !['EHLO', 'HELO', 'STARTTLS', 'QUIT'].includes(command)),
        [],
      );
      server.close();
    }
  });

  it('sends nothing if the certificate is not trusted', async () => {
    const before = traces(encrypting);
    await assert.rejects(send(urlOf(encrypting)), /certificate of the mail server/);
    assert.deepEqual(traces(encrypting), before);
  });

  it('sends over STARTTLS', async () => {
    assert.equal(await send(urlOf(encrypting, '?tls.rejectUnauthorized=false')), 'sent');
    assert.equal(encrypting.received.at(-1)?.isEncrypted, true);
  });
});

describe('smtp://…?starttls=optional', () => {
  it('encrypts if the server offers it, otherwise sends in clear', async () => {
    assert.equal(await send(urlOf(encrypting, '?starttls=optional&tls.rejectUnauthorized=false')), 'sent');
    assert.equal(encrypting.received.at(-1)?.isEncrypted, true);
    assert.equal(await send(urlOf(plain, '?starttls=optional')), 'sent');
    assert.equal(plain.received.at(-1)?.isEncrypted, false);
  });
});

describe('smtp://…?starttls=never', () => {
  it('sends in clear, whatever the server offers', async () => {
    for (const sink of [encrypting, plain]) {
      assert.equal(await send(urlOf(sink, '?starttls=never')), 'sent');
      assert.equal(sink.received.at(-1)?.isEncrypted, false);
    }
  });
});
