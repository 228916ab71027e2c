// What is written to people: the same in text and HTML, nothing loaded from anywhere, no link but ours. Pure.
import type { Mail } from '../../../platform/mail/mailer.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import { formatDay, formatDeadline, SHARED_DATA } from './wording.ts';

type Written = Omit<Mail, 'to'>;
export type PortalLinkFacts = { readonly link: string; readonly expiresAt: Date };
type Greeted = { readonly name: string | null; readonly portal: PortalLinkFacts };
type Addressed = Greeted & { readonly organization: string };

type Part = { readonly says: string } | { readonly quotes: string } | { readonly leads: string; readonly to: string };

export function writeInvitationMail(
  facts: Addressed & { readonly message: string | null; readonly expiresAt: Date; readonly link: string },
): Written {
  const { organization, message } = facts;
  return write(`${organization} asks to see your health data`, facts, [
    {
      says: `${organization} invites you to share the health data of your devices with them: ${SHARED_DATA.join('; ')}.`,
    },
    ...(message === null ? [] : [{ says: `${organization} writes:` }, { quotes: message }]),
    { says: `Nothing is shared unless you accept. The invitation expires on ${formatDeadline(facts.expiresAt)}.` },
    { leads: 'Look at the invitation', to: facts.link },
  ]);
}

export function writeJoinedMail(facts: Addressed): Written {
  return write(`You share your health data with ${facts.organization}`, facts, [
    { says: `From now on ${facts.organization} sees the health data of your devices: ${SHARED_DATA.join('; ')}.` },
    { says: 'You can stop this at any time on the page below.' },
  ]);
}

export function writeLeftMail(facts: Addressed): Written {
  return write(`You no longer share your health data with ${facts.organization}`, facts, [
    { says: `${facts.organization} no longer sees any of your health data. Nothing new is collected for them.` },
    {
      says: 'Your data is kept for you for 12 months, in case you come back, and then erased. You can also take it with you or have it erased now.',
    },
  ]);
}

export function writeLinkMail(facts: Greeted): Written {
  return write('Your new link to your health data', facts, [
    { says: 'A new link to your health data was requested. If it was not you, you need not do anything.' },
  ]);
}

function write(subject: string, { name, portal }: Greeted, body: readonly Part[]): Written {
  const parts: Part[] = [
    { says: name === null ? 'Hello,' : `Hello ${name},` },
    ...body,
    {
      says: 'What you share, with whom, and how to stop, export or erase it, is on a page of your own. Keep this mail to yourself: whoever has the link can do the same.',
    },
    { leads: 'Your privacy portal', to: portal.link },
    {
      says: `The link expires on ${formatDay(portal.expiresAt)}. Once it has expired, its page sends you a new one.`,
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
