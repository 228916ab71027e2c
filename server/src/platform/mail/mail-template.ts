// The look of a mail: the account's name and logo, text, one button, and a footer that says who sends it and why. As HTML for light and
// dark mode and as plain text. It loads nothing: the logo is part of the mail. Pure.
import type { Branding } from '../../domain/branding/branding.ts';
import { makeReadable, textColorOn } from '../../domain/branding/colors.ts';
import type { Language } from '../../domain/texts/index.ts';
import { Html, html } from '../pages/html.ts';
import type { Mail } from './mailer.ts';

export type MailPart =
  | { readonly says: string }
  | { readonly lists: readonly string[] }
  | { readonly quotes: string }
  /** The one thing to do. */
  | { readonly button: string; readonly to: string }
  | { readonly link: string; readonly to: string };

type MailDraft = {
  readonly language: Language;
  readonly subject: string;
  /** Null: the mail is from the service itself. */
  readonly brand: Branding | null;
  readonly hasLogo: boolean;
  readonly parts: readonly MailPart[];
  /** Who sends the mail and why. */
  readonly footer: readonly string[];
};

export const LOGO_CID = 'logo';
const DEFAULT_ACCENT = '#0b6a8f';
const DARK_CARD = '#18242d';

export function writeMail(draft: MailDraft): Pick<Mail, 'subject' | 'text' | 'html'> {
  const { subject, parts, footer } = draft;
  const text = [...parts.map(writeText), `-- \n${footer.join('\n')}`].join('\n\n');
  return { subject, text: `${text}\n`, html: writeHtml(draft) };
}

function writeText(part: MailPart): string {
  if ('says' in part) return part.says;
  if ('lists' in part) return part.lists.map((item) => `- ${item}`).join('\n');
  if ('quotes' in part) return part.quotes.replace(/^/gm, '> ');
  return `${'button' in part ? part.button : part.link}:\n${part.to}`;
}

function writeHtml({ language, subject, brand, hasLogo, parts, footer }: MailDraft): Html {
  const accent = brand?.accentColor ?? DEFAULT_ACCENT;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${new Html(darkStyle(accent))}</style></head>
<body class="ground" style="margin:0;padding:24px 12px;background:#eef3f6;font:16px/1.5 -apple-system,'Segoe UI',Roboto,sans-serif;color:#14222e">
<div class="card" style="max-width:520px;margin:0 auto;padding:28px;border-radius:12px;background:#ffffff">
${brand === null ? null : brandLine(brand, hasLogo)}
${parts.map((part) => writePart(part, accent))}
</div>
<div class="foot" style="max-width:520px;margin:0 auto;padding:16px 28px;font-size:13px;color:#51626f">${footer.map((line) => html`<p style="margin:0 0 4px">${line}</p>`)}</div>
</body></html>
`;
}

function brandLine({ displayName }: Branding, hasLogo: boolean): Html {
  const logo = hasLogo
    ? html`<img src="cid:${LOGO_CID}" alt="" width="40" height="40" style="width:40px;height:40px;object-fit:contain;vertical-align:middle;margin-right:10px;border-radius:8px">`
    : null;
  return html`<p style="margin:0 0 20px;font-size:17px;font-weight:600">${logo}${displayName}</p>`;
}

function writePart(part: MailPart, accent: string): Html {
  if ('says' in part) return html`<p style="margin:0 0 14px">${part.says}</p>\n`;
  if ('lists' in part)
    return html`<ul style="margin:0 0 14px;padding-left:20px">${part.lists.map((item) => html`<li>${item}</li>`)}</ul>\n`;
  if ('quotes' in part)
    return html`<blockquote class="quote" style="margin:0 0 16px;padding-left:12px;border-left:3px solid #d5dfe6;white-space:pre-line">${part.quotes}</blockquote>\n`;
  if ('button' in part)
    return html`<p style="margin:20px 0"><a href="${part.to}" style="display:inline-block;padding:13px 24px;border-radius:10px;background:${accent};color:${textColorOn(accent)};font-weight:600;text-decoration:none">${part.button}</a></p>\n`;
  return html`<p style="margin:0 0 14px"><a class="link" href="${part.to}" style="color:${makeReadable(accent, '#ffffff')}">${part.link}</a></p>\n`;
}

/** Only for mail programs that support it; all others show the light version. */
function darkStyle(accent: string): string {
  return `@media (prefers-color-scheme: dark) {
.ground { background: #0e171e !important; color: #e8eff4 !important; }
.card { background: ${DARK_CARD} !important; }
.foot { color: #a3b4c0 !important; }
.quote { border-color: #2f404d !important; }
.link { color: ${makeReadable(accent, DARK_CARD)} !important; }
}`;
}
