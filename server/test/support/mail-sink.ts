// A real mail server on this machine that keeps what it gets, and refuses what a test tells it to.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from './wait-until.ts';

export type ReceivedMail = {
  readonly from: string;
  readonly to: string;
  readonly headers: string;
  readonly text: string;
  readonly html: string;
};

export type MailSink = {
  /** For TRIBUTARY_SMTP_URL. */
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Recipients are answered so from now on; null: taken. */
  refuseWith(code: number | null): void;
  /** How many recipients were refused. */
  refusals(): number;
  /** Waits for so many mails to an address, and returns them. */
  wait(address: string, count: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
};

export async function startMailSink(): Promise<MailSink> {
  const received: ReceivedMail[] = [];
  let refusal: number | null = null;
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
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
        received.push({ from, to: rcptTo[0]?.address ?? '', ...parseMail(Buffer.concat(chunks).toString('latin1')) });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?from=roster@tributary.example`,
    received,
    refuseWith: (code) => {
      refusal = code;
    },
    refusals: () => refused,
    wait: (address, count) =>
      waitUntil(`${count} mails to ${address}`, () => {
        const found = received.filter(({ to }) => to === address);
        return found.length >= count ? found : null;
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
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
