// A mail server on this machine that stores the mails it receives and rejects recipients on request.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from './wait-until.ts';

export type ReceivedMail = {
  readonly from: string;
  readonly to: string;
  readonly isEncrypted: boolean;
  readonly headers: string;
  readonly text: string;
  readonly html: string;
};

type MailSink = {
  /** For TRIBUTARY_SMTP_URL. */
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedMail[];
  /** The response to recipients from now on; null accepts them. */
  refuseWith(code: number | null): void;
  /** The number of rejected recipients. */
  refusals(): number;
  /** How often a client sent a password, and how often it named a sender. */
  logins(): number;
  senders(): number;
  /** Waits for `count` mails to an address and returns them. */
  wait(address: string, count: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
};

/** Plaintext unless `starttls` is set, which uses a self-signed certificate. */
export async function startMailSink({ starttls = false } = {}): Promise<MailSink> {
  const received: ReceivedMail[] = [];
  let refusal: number | null = null;
  let refused = 0;
  let logins = 0;
  let senders = 0;
  const server = new SMTPServer({
    authOptional: true,
    ...(starttls ? readCertificate() : { disabledCommands: ['STARTTLS'] }),
    allowInsecureAuth: true,
    onAuth(_auth, _session, done) {
      logins += 1;
      done(null, { user: 'somebody' });
    },
    onMailFrom(_address, _session, done) {
      senders += 1;
      done();
    },
    onRcptTo(_address, _session, done) {
      if (refusal === null) return done();
      refused += 1;
      done(Object.assign(new Error('refused'), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({
          from,
          to: rcptTo[0]?.address ?? '',
          isEncrypted: session.secure,
          ...parseMail(Buffer.concat(chunks).toString('latin1')),
        });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?from=roster@tributary.example&starttls=never`,
    port,
    received,
    refuseWith: (code) => {
      refusal = code;
    },
    refusals: () => refused,
    logins: () => logins,
    senders: () => senders,
    wait: (address, count) =>
      waitUntil(`${count} mails to ${address}`, () => {
        const found = received.filter(({ to }) => to === address);
        return found.length >= count ? found : null;
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function readCertificate(): { cert: string; key: string } {
  const read = (name: string) => readFileSync(new URL(`../fixtures/localhost-${name}.pem`, import.meta.url), 'utf8');
  return { cert: read('cert'), key: read('key') };
}

function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = splitPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? '';
  const parts = body.split(`--${boundary}`).map((part) => splitPart(part.trimStart()));
  const find = (type: string) => parts.find((part) => part.headers.includes(type));
  return { headers, text: decode(find('text/plain')), html: decode(find('text/html')) };
}

type MailPart = { readonly headers: string; readonly body: string };

function splitPart(raw: string): MailPart {
  const end = raw.indexOf('\r\n\r\n');
  return { headers: raw.slice(0, end).replace(/\r\n[ \t]+/g, ' '), body: raw.slice(end + 4) };
}

function decode(part: MailPart | undefined): string {
  if (!part) return '';
  if (/base64/.test(part.headers)) return Buffer.from(part.body, 'base64').toString('utf8');
  if (!/quoted-printable/.test(part.headers)) return part.body.replaceAll('\r\n', '\n');
  const bytes = part.body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
