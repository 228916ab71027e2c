// The mails to invited persons and members, as text and HTML. They load nothing and link only to this service. Pure.
import type { Mail } from '../../../platform/mail/mailer.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import { formatDay, formatDeadline, SHARED_DATA } from './wording.ts';

type MailContent = Omit<Mail, 'to'>;
export type PortalLinkFacts = { readonly link: string; readonly expiresAt: Date };
type Greeted = { readonly name: string | null; readonly portal: PortalLinkFacts };
type Addressed = Greeted & { readonly organization: string };

type Part = { readonly says: string } | { readonly quotes: string } | { readonly leads: string; readonly to: string };

export function writeInvitationMail(
  facts: Addressed & { readonly message: string | null; readonly expiresAt: Date; readonly link: string },
): MailContent {
  const { organization, message } = facts;
  return write(`${organization} invites you to share your health data`, facts, [
    {
      says: `${organization} would like to see the health data from your devices: ${SHARED_DATA.join('; ')}.`,
    },
    ...(message === null ? [] : [{ says: `${organization} writes:` }, { quotes: message }]),
    { says: `Nothing is shared unless you accept. The invitation expires on ${formatDeadline(facts.expiresAt)}.` },
    { leads: 'View the invitation', to: facts.link },
  ]);
}

export function writeJoinedMail(facts: Addressed): MailContent {
  return write(`You now share your health data with ${facts.organization}`, facts, [
    { says: `${facts.organization} can now see the health data from your devices: ${SHARED_DATA.join('; ')}.` },
    { says: 'You can stop sharing at any time in your privacy portal (link below).' },
  ]);
}

export function writeLeftMail(facts: Addressed): MailContent {
  return write(`You no longer share your health data with ${facts.organization}`, facts, [
    { says: `${facts.organization} can no longer see any of your health data, and no new data is collected for them.` },
    {
      says: 'We keep your data for 12 months in case you come back, and then erase it. You can also export it or have it erased now.',
    },
  ]);
}

export function writeLinkMail(facts: Greeted): MailContent {
  return write('Your new link to your health data', facts, [
    { says: 'Somebody requested a new link to your health data. If it was not you, you can ignore this mail.' },
  ]);
}

function write(subject: string, { name, portal }: Greeted, body: readonly Part[]): MailContent {
  const parts: Part[] = [
    { says: name === null ? 'Hello,' : `Hello ${name},` },
    ...body,
    {
      says: 'In your privacy portal you can see what you share and with whom, stop sharing, and export or erase your data. Do not forward this mail: anyone with the link can do the same.',
    },
    { leads: 'Your privacy portal', to: portal.link },
    {
      says: `The link expires on ${formatDay(portal.expiresAt)}. If you open it after that, you can request a new one.`,
    },
  ];
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#14222e;background:#ffffff"><div style="max-width:32rem">
${parts.map(writeHtml)}
</div></body></html>
`;
  return { subject, text: `${parts.map(writeText).join('\n\n')}\n`, html: page };
}

function writeText(part: Part): string {
  if ('says' in part) return part.says;
  if ('quotes' in part) return part.quotes.replace(/^/gm, '> ');
  return `${part.leads}:\n${part.to}`;
}

function writeHtml(part: Part): Html {
  if ('says' in part) return html`<p>${part.says}</p>\n`;
  if ('quotes' in part)
    return html`<blockquote style="margin:0 0 16px;padding-left:12px;border-left:3px solid #d5dfe6;white-space:pre-line">${part.quotes}</blockquote>\n`;
  return html`<p><a href="${part.to}" style="color:#0b6a8f">${part.leads}</a></p>\n`;
}
