// The mails to members of the dashboard, as text and HTML. They load nothing and link only to this service. Pure.
import { type MailPart, writeMail } from '../../../platform/mail/mail-template.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';

type MailContent = Omit<Mail, 'to'>;

export function writeJoinMail(facts: {
  readonly account: string;
  readonly invitedBy: string;
  readonly link: string;
  readonly expiresAt: Date;
}): MailContent {
  return write(`${facts.invitedBy} invites you to the dashboard of ${facts.account}`, [
    { says: `${facts.invitedBy} invites you to the Tributary dashboard of ${facts.account}.` },
    { button: 'Accept the invitation', to: facts.link },
    {
      says: `The link works once, until ${formatMinute(facts.expiresAt)}. If you did not expect this invitation, ignore this mail.`,
    },
  ]);
}

export function writeResetMail(facts: { readonly link: string; readonly expiresAt: Date }): MailContent {
  return write('Set a new password', [
    {
      says: 'Somebody asked for a new password for your Tributary dashboard. If it was not you, ignore this mail: your password has not changed.',
    },
    { button: 'Set a new password', to: facts.link },
    { says: `The link works once, until ${formatMinute(facts.expiresAt)}.` },
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
    {
      says: `The ${facts.environment} API key "${facts.keyName}" (…${facts.lastFour}) of ${facts.account} expires on ${day}. From then on programs that use it are rejected.`,
    },
    {
      says: 'Rotate it in the dashboard: the new key and the old one work side by side for a day, so that nothing is interrupted.',
    },
    { button: 'Open the API keys', to: facts.link },
  ]);
}

function write(subject: string, parts: readonly MailPart[]): MailContent {
  const footer = ['This mail was sent by Tributary because you are, or are invited to be, a member of an account.'];
  const draft = { language: 'en', subject, brand: null, hasLogo: false, footer } as const;
  return { ...writeMail({ ...draft, parts: [{ says: 'Hello,' }, ...parts] }), fromName: null, inline: null };
}

function formatMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
