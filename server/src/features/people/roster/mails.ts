// The mails to invited persons and members. They load nothing and link only to this service. Pure.
import type { Branding } from '../../../domain/branding/branding.ts';
import type { LogoImage } from '../../../domain/branding/logo-image.ts';
import { formatDay, type Language, translateTo } from '../../../domain/texts/index.ts';
import { LOGO_CID, type MailPart, writeMail } from '../../../platform/mail/mail-template.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { listSharedData } from './wording.ts';

type MailContent = Omit<Mail, 'to'>;
export type PortalLinkFacts = { readonly link: string; readonly expiresAt: Date };

/** Who receives the mail, and in whose name. */
export type Addressed = {
  readonly language: Language;
  /** Null: the mail is about no single organization. */
  readonly brand: Branding | null;
  readonly logo: LogoImage | null;
  readonly name: string | null;
  readonly portal: PortalLinkFacts;
  /** Of this service. */
  readonly host: string;
};

export function writeInvitationMail(
  addressed: Addressed,
  facts: { readonly message: string | null; readonly expiresAt: Date; readonly link: string },
): MailContent {
  const { t, names, day } = wordsOf(addressed);
  const { message, expiresAt, link } = facts;
  return write(addressed, t('mail.invited.subject', names), t('mail.invited.why', names), [
    { says: t('mail.invited.asks', names) },
    { lists: listSharedData(t) },
    ...(message === null ? [] : [{ says: t('mail.invited.writes', names) }, { quotes: message }]),
    { says: t('mail.invited.expires', { date: day(expiresAt) }) },
    { button: t('mail.invited.button'), to: link },
    ...portalParts(addressed, 'link'),
  ]);
}

export function writeJoinedMail(addressed: Addressed): MailContent {
  const { t, names } = wordsOf(addressed);
  return write(addressed, t('mail.joined.subject', names), t('mail.joined.why', names), [
    { says: t('mail.joined.sees', names) },
    { lists: listSharedData(t) },
    { says: t('mail.joined.stop') },
    ...portalParts(addressed, 'button'),
  ]);
}

export function writeLeftMail(addressed: Addressed): MailContent {
  const { t, names } = wordsOf(addressed);
  return write(addressed, t('mail.left.subject', names), t('mail.left.why', names), [
    { says: t('mail.left.ended', names) },
    { says: t('mail.left.kept') },
    ...portalParts(addressed, 'button'),
  ]);
}

export function writeLinkMail(addressed: Addressed): MailContent {
  const { t } = wordsOf(addressed);
  return write(addressed, t('mail.link.subject'), t('mail.link.why'), [
    { says: t('mail.link.requested') },
    ...portalParts(addressed, 'button'),
  ]);
}

function portalParts(addressed: Addressed, as: 'button' | 'link'): MailPart[] {
  const { t, day } = wordsOf(addressed);
  const { link: to, expiresAt } = addressed.portal;
  const label = t('mail.portal');
  return [
    { says: t('mail.portal.what') },
    as === 'button' ? { button: label, to } : { link: label, to },
    { says: t('mail.portal.expires', { date: day(expiresAt) }) },
  ];
}

function write(addressed: Addressed, subject: string, why: string, parts: readonly MailPart[]): MailContent {
  const { language, brand, logo, name, host } = addressed;
  const { t, names } = wordsOf(addressed);
  const sentBy = brand === null ? t('mail.sent_by_service', { host }) : t('mail.sent_by', { host, ...names });
  const greeting = { says: name === null ? t('mail.hello') : t('mail.hello_name', { name }) };
  const draft = {
    language,
    subject,
    brand,
    hasLogo: logo !== null,
    parts: [greeting, ...parts],
    footer: [why, sentBy],
  };
  return {
    ...writeMail(draft),
    fromName: brand?.displayName ?? null,
    inline: logo && { cid: LOGO_CID, contentType: logo.mediaType, content: Buffer.from(logo.image) },
  };
}

function wordsOf({ language, brand }: Addressed) {
  return {
    t: translateTo(language),
    names: { account: brand?.displayName ?? '' },
    day: (at: Date) => formatDay(language, at),
  };
}
