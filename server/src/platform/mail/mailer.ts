// Sends mail through the operator's SMTP server, one message at a time. Retries are up to the caller, which is a job.
import type { Transporter } from 'nodemailer';
import { onFirstUse } from '../on-first-use.ts';
import type { Html } from '../pages/html.ts';

export type Mail = {
  readonly to: { readonly name: string | null; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: Html;
  /** Shown as the sender, before the operator's address. Null: as the operator set it. */
  readonly fromName: string | null;
  /** An image that the HTML refers to as `cid:…`. */
  readonly inline: { readonly cid: string; readonly contentType: string; readonly content: Buffer } | null;
};

export type Mailer = {
  /** `refused`: the server rejected it permanently, for example an unknown address. Throws if a retry may succeed. */
  send(mail: Mail): Promise<'sent' | 'refused'>;
};

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;

export function createMailer(smtpUrl: string, publicUrl: () => string): Mailer {
  const { server, from, starttls } = splitOptions(smtpUrl);
  const transport = onFirstUse(() => openTransport(server, starttls));
  return {
    async send({ to, subject, text, html, fromName, inline }) {
      try {
        await (await transport.get()).sendMail({
          from: senderOf(from ?? `Tributary <no-reply@${new URL(publicUrl()).hostname}>`, fromName),
          to: { name: to.name ?? '', address: to.address },
          subject,
          text,
          html: html.text,
          attachments: inline === null ? [] : [{ ...inline, contentDisposition: 'inline' }],
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

/** `from` is an address, or a name and an address in angle brackets. */
function senderOf(from: string, name: string | null): string | { name: string; address: string } {
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
  return name === null ? from : { name, address };
}

/** Loaded with the first mail, because many deployments never send one. */
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

/** The first is the default of smtp://. smtps:// is always encrypted. */
export const STARTTLS_CHOICES = ['required', 'optional', 'never'] as const;
type Starttls = (typeof STARTTLS_CHOICES)[number];
/** Parameters that the library would read from the URL and that would override ours. */
export const RESERVED_SMTP_PARAMETERS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'secure', 'secured', 'service'];

/** Reads sender and encryption from the query of the URL; the library reads the rest. */
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
  'the certificate of the mail server does not match its name or is not signed by a known authority, so nothing was sent';

/** Logs only codes, because the server's message may contain the recipient's address. */
function describeFailure(error: unknown): Error {
  const { code, command, responseCode, message } = error as SmtpError;
  if (command === 'STARTTLS' && responseCode !== undefined) return new Error(NO_STARTTLS);
  if (command === 'EHLO' && /required STARTTLS/.test(message)) return new Error(NO_STARTTLS);
  if (/certificate|altnames/i.test(message)) return new Error(BAD_CERTIFICATE);
  return new Error(`the mail server did not accept a mail (${[code, responseCode].filter(Boolean).join(' ')})`);
}
