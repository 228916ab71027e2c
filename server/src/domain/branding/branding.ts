// How an account appears on hosted pages and in mails, and the checks of each setting. Pure.
import { parseColor } from './colors.ts';

export type Branding = {
  readonly displayName: string;
  /** A path on this service or an https URL. */
  readonly logoUrl: string | null;
  /** #rrggbb */
  readonly accentColor: string | null;
  readonly privacyUrl: string | null;
  readonly supportUrl: string | null;
};

export type Checked<Value> = { readonly value: Value } | { readonly problem: string };

const MAX_NAME_CHARACTERS = 100;
const MAX_URL_CHARACTERS = 2_048;

export function checkDisplayName(text: string): Checked<string> {
  const value = text.trim();
  if (value === '' || value.length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(value))
    return { problem: `must have 1 to ${MAX_NAME_CHARACTERS} characters and no line breaks` };
  return { value };
}

export function checkAccentColor(text: string): Checked<string> {
  const value = parseColor(text);
  return value === null ? { problem: 'must be a color such as #0b6a8f' } : { value };
}

/** `mailto`: whether a mail address is accepted instead of a page. */
export function checkLink(text: string, { mailto }: { readonly mailto: boolean }): Checked<string> {
  const problem = mailto ? 'must be an https URL or a mailto: address' : 'must be an https URL';
  if (text.length > MAX_URL_CHARACTERS || /[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return { problem };
  const url = new URL(text);
  if (mailto && url.protocol === 'mailto:' && /^[^@?]+@[^@?]+$/.test(url.pathname)) return { value: url.href };
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return { problem };
  return { value: url.href };
}
