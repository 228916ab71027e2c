// Mail over the operator's SMTP server. One message at a time, as they are few; whoever sends tries again later (a job).
import type { Transporter } from 'nodemailer';
import { onFirstUse } from '../on-first-use.ts';
import type { Html } from '../pages/html.ts';

export type Mail = {
  readonly to: { readonly name: string | null; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: Html;
};

export type Mailer = {
  /** `refused`: the server will never take it, as with an address that does not exist. Throws where a later try may succeed. */
  send(mail: Mail): Promise<'sent' | 'refused'>;
};

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;

export function createMailer(smtpUrl: string, publicUrl: () => string): Mailer {
  const { server, from, starttls } = splitOptions(smtpUrl);
  const transport = onFirstUse(() => openTransport(server, starttls));
  return {
    async send({ to, subject, text, html }) {
      try {
        await (await transport.get()).sendMail({
          from: from ?? { name: 'Tributary', address: `no-reply@${new URL(publicUrl()).hostname}` },
          to: { name: to.name ?? '', address: to.address },
          subject,
          text,
          html: html.text,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return 'sent';
      } catch (error) {
        if (isRefusal(error)) return 'refused';
        throw describeFailure(error);
      }
    },
  };
}

/** With the first mail: many services never send one. */
async function openTransport(url: string, starttls: Starttls): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    requireTLS: starttls === 'required',
    ignoreTLS: starttls === 'never',
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** What smtp:// does without a word from the operator comes first. smtps:// is encrypted from the start. */
export const STARTTLS_CHOICES = ['required', 'optional', 'never'] as const;
type Starttls = (typeof STARTTLS_CHOICES)[number];
/** Of the library, which would take them from the URL in place of ours. */
export const RESERVED_SMTP_PARAMETERS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure', 'secured', 'service'];

/** Sender and encryption stand in the query of the URL, which is otherwise the library's. */
function splitOptions(smtpUrl: string): { server: string; from: string | null; starttls: Starttls } {
  const url = new URL(smtpUrl);
  const from = url.searchParams.get('from');
  const choice = url.searchParams.get('starttls');
  for (const name of ['from', 'starttls', ...RESERVED_SMTP_PARAMETERS]) url.searchParams.delete(name);
  return { server: url.href, from, starttls: STARTTLS_CHOICES.find((one) => one === choice) ?? 'required' };
}

type SmtpError = Error & { readonly code?: unknown; readonly command?: unknown; readonly responseCode?: unknown };
const ABOUT_THIS_MAIL: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as SmtpError;
  return ABOUT_THIS_MAIL.has(code) && typeof responseCode === 'number' && responseCode >= 500;
}

const NO_STARTTLS =
  'the mail server does not offer STARTTLS, so nothing was sent; use smtps:// in TRIBUTARY_SMTP_URL, or add starttls=optional to send without encryption';
const BAD_CERTIFICATE =
  'the certificate of the mail server is not valid for its name or not signed by a known authority, so nothing was sent';

/** What the server says may name the person, and goes into the log: only what it is about is kept. */
function describeFailure(error: unknown): Error {
  const { code, command, responseCode, message } = error as SmtpError;
  if (command === 'STARTTLS' && responseCode !== undefined) return new Error(NO_STARTTLS);
  if (command === 'EHLO' && /required STARTTLS/.test(message)) return new Error(NO_STARTTLS);
  if (/certificate|altnames/i.test(message)) return new Error(BAD_CERTIFICATE);
  return new Error(`the mail server did not take a mail (${[code, responseCode].filter(Boolean).join(' ')})`);
}
