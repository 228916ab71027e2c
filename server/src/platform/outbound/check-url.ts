// Checks the text of an outbound URL. Host names are resolved and checked when connecting.
import { isIP } from 'node:net';
import { isOpenAddress } from './address-kind.ts';

export type OutboundRules = {
  /** For development: allows http, this machine and private networks. */
  readonly allowPrivate: boolean;
  /** Exact origins that are not checked. Read on every request, because an origin can be added later. */
  readonly exceptions: ReadonlySet<string>;
};

export type UrlCheck = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string };

export const MAX_URL_CHARACTERS = 2_048; // supported by browsers, proxies and logs

const INNER_DOMAINS = ['localhost', 'localdomain', 'local', 'internal'];

/** For registration: `checkTarget` and a maximum length. */
export function checkUrl(text: string, rules: OutboundRules): UrlCheck {
  const tooLong = refuse(`The URL is longer than ${MAX_URL_CHARACTERS.toLocaleString('en')} characters.`);
  if (text.length > MAX_URL_CHARACTERS) return tooLong;
  const check = checkTarget(text, rules);
  // Characters outside of ASCII become longer when they are encoded.
  return check.ok && check.url.length > MAX_URL_CHARACTERS ? tooLong : check;
}

export function checkTarget(text: string, rules: OutboundRules): UrlCheck {
  if (!URL.canParse(text)) return refuse('The URL is not valid.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse(rules.allowPrivate ? 'The URL must use https or http.' : 'The URL must use https.');
  if (url.username !== '' || url.password !== '' || hasUserInfo(text))
    return refuse('The URL must not contain a user name or a password.');
  if (text.includes('#')) return refuse('The URL must not have a fragment (#).');
  if (url.port === '0') return refuse('The URL must not have port 0.');
  // A trailing dot means the same host, but does not match certificates and the lists here.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  if (rules.exceptions.has(url.origin)) return { ok: true, url: url.href };
  if (url.protocol === 'http:' && !rules.allowPrivate) return refuse('The URL must use https.');
  const reason = findHostProblem(url.hostname, rules.allowPrivate);
  return reason === null ? { ok: true, url: url.href } : refuse(reason);
}

/** Whether the URL is refused only because its host is this machine or in a private network. */
export function isLocalTarget(text: string): boolean {
  const open = checkTarget(text, { allowPrivate: true, exceptions: new Set() });
  return open.ok && findHostProblem(new URL(open.url).hostname, false) !== null;
}

/** The URL parser has already normalized decimal, octal, hex, short and full-width notations. */
function findHostProblem(hostname: string, allowPrivate: boolean): string | null {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0)
    return isOpenAddress(literal, allowPrivate) ? null : 'The URL must not point to a private or reserved address.';
  if (allowPrivate) return null;
  return isInnerName(hostname) ? 'The URL must have a public host name.' : null;
}

/** A name without a dot can resolve to an internal host through the search list: "metadata", a container. */
function isInnerName(hostname: string): boolean {
  return /^[^.]*\.*$/.test(hostname) || INNER_DOMAINS.some((domain) => hostname.endsWith(`.${domain}`));
}

function refuse(reason: string): UrlCheck & { ok: false } {
  return { ok: false, reason };
}

/** Also finds empty ones: `https://:@host/` has none after parsing. */
function hasUserInfo(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*@/i.test(text.trim());
}
