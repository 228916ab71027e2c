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
  const { server, from } = splitSender(smtpUrl);
  const transport = onFirstUse(() => openTransport(server));
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
        throw withoutAddress(error);
      }
    },
  };
}

/** With the first mail: many services never send one. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The sender stands in the query of the URL, which is otherwise the library's. */
function splitSender(smtpUrl: string): { server: string; from: string | null } {
  const url = new URL(smtpUrl);
  const from = url.searchParams.get('from');
  url.searchParams.delete('from');
  return { server: url.href, from };
}

type SmtpError = Error & { readonly code?: unknown; readonly responseCode?: unknown };
const ABOUT_THIS_MAIL: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

function isRefusal(error: unknown): boolean {
  const { code, responseCode } = error as SmtpError;
  return ABOUT_THIS_MAIL.has(code) && typeof responseCode === 'number' && responseCode >= 500;
}

/** What the server says may name the person, and goes into the log. */
function withoutAddress(error: unknown): Error {
  const { code, responseCode } = error as SmtpError;
  return new Error(`the mail server did not take a mail (${[code, responseCode].filter(Boolean).join(' ')})`);
}
