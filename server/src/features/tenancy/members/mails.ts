// The mails to members of the dashboard, as text and HTML. They load nothing and link only to this service. Pure.
import type { Mail } from '../../../platform/mail/mailer.ts';
import { type Html, html } from '../../../platform/pages/html.ts';

type MailContent = Omit<Mail, 'to'>;
type Paragraph = string | { readonly leads: string; readonly to: string };

export function writeJoinMail(facts: {
  readonly account: string;
  readonly invitedBy: string;
  readonly link: string;
  readonly expiresAt: Date;
}): MailContent {
  return write(`${facts.invitedBy} invites you to the dashboard of ${facts.account}`, [
    `${facts.invitedBy} invites you to the Tributary dashboard of ${facts.account}.`,
    { leads: 'Accept the invitation', to: facts.link },
    `The link works once, until ${formatMinute(facts.expiresAt)}. If you did not expect this invitation, ignore this mail.`,
  ]);
}

export function writeResetMail(facts: { readonly link: string; readonly expiresAt: Date }): MailContent {
  return write('Set a new password', [
    'Somebody asked for a new password for your Tributary dashboard. If it was not you, ignore this mail: your password has not changed.',
    { leads: 'Set a new password', to: facts.link },
    `The link works once, until ${formatMinute(facts.expiresAt)}.`,
  ]);
}

export function writeKeyExpiryMail(facts: {
  readonly account: string;
  readonly environment: string;
  readonly keyName: string;
  readonly lastFour: string;
  readonly expiresAt: Date;
  readonly link: string;
}): MailContent {
  const day = facts.expiresAt.toISOString().slice(0, 10);
  return write(`An API key of ${facts.account} expires on ${day}`, [
    `The ${facts.environment} API key "${facts.keyName}" (…${facts.lastFour}) of ${facts.account} expires on ${day}. From then on programs that use it are rejected.`,
    'Rotate it in the dashboard: the new key and the old one work side by side for a day, so that nothing is interrupted.',
    { leads: 'Open the API keys', to: facts.link },
  ]);
}

function write(subject: string, paragraphs: readonly Paragraph[]): MailContent {
  const footer = 'This mail was sent by Tributary because you are, or are invited to be, a member of an account.';
  const all = ['Hello,', ...paragraphs, footer];
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#14222e;background:#ffffff"><div style="max-width:32rem">
${all.map(writeHtml)}
</div></body></html>
`;
  return { subject, text: `${all.map(writeText).join('\n\n')}\n`, html: page };
}

function writeText(paragraph: Paragraph): string {
  return typeof paragraph === 'string' ? paragraph : `${paragraph.leads}:\n${paragraph.to}`;
}

function writeHtml(paragraph: Paragraph): Html {
  if (typeof paragraph === 'string') return html`<p>${paragraph}</p>\n`;
  return html`<p><a href="${paragraph.to}" style="color:#0b6a8f">${paragraph.leads}</a></p>\n`;
}

function formatMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
