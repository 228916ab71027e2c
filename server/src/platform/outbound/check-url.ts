// Whether a request may go to a URL, as far as its text tells. Names are resolved and checked when connecting.
import { isIP } from 'node:net';
import { isOpenAddress } from './address-kind.ts';

export type OutboundRules = {
  /** For development: http, the own machine and private networks. */
  readonly allowPrivate: boolean;
  /** Exact origins that nothing is asked of. Looked at on every request: an origin may become known late. */
  readonly exceptions: ReadonlySet<string>;
};

export type UrlCheck = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string };

export const MAX_URL_CHARACTERS = 2_048; // what browsers, proxies and logs take without cutting

const INNER_DOMAINS = ['localhost', 'localdomain', 'local', 'internal'];

/** For registration: `checkTarget`, and a length that can be stored. */
export function checkUrl(text: string, rules: OutboundRules): UrlCheck {
  const tooLong = refuse(`The URL is longer than ${MAX_URL_CHARACTERS.toLocaleString('en')} characters.`);
  if (text.length > MAX_URL_CHARACTERS) return tooLong;
  const check = checkTarget(text, rules);
  // Characters outside of ASCII grow when they are written for the wire.
  return check.ok && check.url.length > MAX_URL_CHARACTERS ? tooLong : check;
}

export function checkTarget(text: string, rules: OutboundRules): UrlCheck {
  if (!URL.canParse(text)) return refuse('This is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('The URL must be an https one.');
  if (url.username !== '' || url.password !== '' || hasUserInfo(text))
    return refuse('The URL must not hold a user name or a password.');
  if (text.includes('#')) return refuse('The URL must not have a fragment (#).');
  if (url.port === '0') return refuse('The URL must not have the port 0.');
  // With the dot it is the same host, but another name to certificates and to the lists here.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  if (rules.exceptions.has(url.origin)) return { ok: true, url: url.href };
  if (url.protocol === 'http:' && !rules.allowPrivate) return refuse('The URL must be an https one.');
  const reason = findHostProblem(url.hostname, rules.allowPrivate);
  return reason === null ? { ok: true, url: url.href } : refuse(reason);
}

/** The URL parser has already folded decimal, octal, hex, short and full-width notations into one. */
function findHostProblem(hostname: string, allowPrivate: boolean): string | null {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0)
    return isOpenAddress(literal, allowPrivate) ? null : 'The URL must not lead to a private or reserved address.';
  if (allowPrivate) return null;
  return isInnerName(hostname) ? 'The host of the URL is not a name of the public internet.' : null;
}

/** A name without a dot is completed by the search list of whoever asks: "metadata", "instance-data", a container. */
function isInnerName(hostname: string): boolean {
  return /^[^.]*\.*$/.test(hostname) || INNER_DOMAINS.some((domain) => hostname.endsWith(`.${domain}`));
}

function refuse(reason: string): UrlCheck & { ok: false } {
  return { ok: false, reason };
}

/** Also an empty one: `https://:@host/` has none left once it is parsed. */
function hasUserInfo(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*@/i.test(text.trim());
}
