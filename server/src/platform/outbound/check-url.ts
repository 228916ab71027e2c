// Checks the text of an outbound URL. Host names are resolved and checked when connecting.
import { BlockList, isIP } from 'node:net';
import { listRanges } from '../address-ranges.ts';
import { isInRanges, readAddressKind } from './address-kind.ts';

export type OutboundRules = {
  /** For development: allows http and this machine. */
  readonly allowLoopback: boolean;
  /** The operator's networks: their addresses are allowed under every name and over http too. */
  readonly networks: BlockList;
  /** Exact origins that are not checked. Read on every request, because an origin can be added later. */
  readonly exceptions: ReadonlySet<string>;
};

export const PUBLIC_ONLY: OutboundRules = {
  allowLoopback: false,
  networks: new BlockList(),
  exceptions: new Set(),
};

/** For the command line, where the developer chooses the target. */
export const ANYWHERE: OutboundRules = {
  ...PUBLIC_ONLY,
  allowLoopback: true,
  networks: listRanges(['0.0.0.0/0', '::/0']),
};

export type UrlCheck = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string };

export const MAX_URL_CHARACTERS = 2_048; // supported by browsers, proxies and logs

const INNER_DOMAINS = ['localhost', 'localdomain', 'local', 'internal'];
const LOOPBACK = ['127.0.0.1', '::1'];

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
    return refuse(
      rules.allowLoopback || hasNetworks(rules) ? 'The URL must use https or http.' : 'The URL must use https.',
    );
  if (url.username !== '' || url.password !== '' || hasUserInfo(text))
    return refuse('The URL must not contain a user name or a password.');
  if (text.includes('#')) return refuse('The URL must not have a fragment (#).');
  if (url.port === '0') return refuse('The URL must not have port 0.');
  // A trailing dot means the same host, but does not match certificates and the lists here.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '');
  if (rules.exceptions.has(url.origin)) return { ok: true, url: url.href };
  const reason = findHostProblem(url, rules);
  return reason === null ? { ok: true, url: url.href } : refuse(reason);
}

/** Whether a request to the URL may connect to the address: that of its host, or one that its name resolves to. */
export function isAllowedAddress(address: string, url: URL, rules: OutboundRules): boolean {
  if (isInRanges(address, rules.networks)) return true;
  const kind = readAddressKind(address);
  if (kind === 'public') return isPublicAllowed(url, rules);
  return kind === 'loopback' && rules.allowLoopback && (isLoopbackName(url.hostname) || !isInnerName(url.hostname));
}

/** Whether the URL is refused only because its host is this machine or in a private network. */
export function isLocalTarget(text: string): boolean {
  const target = checkTarget(text, ANYWHERE);
  return target.ok && !checkTarget(target.url.replace(/^http:/, 'https:'), PUBLIC_ONLY).ok;
}

/** Names of this machine and its network. The operating system resolves them: hosts file, search list, multicast DNS. */
export function isInnerName(hostname: string): boolean {
  if (readLiteral(hostname) !== null) return false;
  return isSingleLabel(hostname) || INNER_DOMAINS.some((domain) => hostname.endsWith(`.${domain}`));
}

/** The URL parser has already normalized decimal, octal, hex, short and full-width notations. */
function findHostProblem(url: URL, rules: OutboundRules): string | null {
  if (isPossibleHost(url, rules)) return null;
  if (url.protocol === 'http:' && !rules.allowLoopback) return 'The URL must use https.';
  return readLiteral(url.hostname) === null
    ? 'The URL must have a public host name.'
    : 'The URL must not point to a private or reserved address.';
}

/** The addresses of a name are checked when connecting. */
function isPossibleHost(url: URL, rules: OutboundRules): boolean {
  const literal = readLiteral(url.hostname);
  if (literal !== null) return isAllowedAddress(literal, url, rules);
  if (isLoopbackName(url.hostname)) return LOOPBACK.some((address) => isAllowedAddress(address, url, rules));
  return hasNetworks(rules) || isPublicAllowed(url, rules);
}

function isPublicAllowed({ protocol, hostname }: URL, { allowLoopback }: OutboundRules): boolean {
  return (protocol === 'https:' || allowLoopback) && !isInnerName(hostname);
}

function hasNetworks({ networks }: OutboundRules): boolean {
  return networks.rules.length > 0;
}

/** Null: the host is a name. */
function readLiteral(hostname: string): string | null {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? null : literal;
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** Can resolve to an internal host through the search list: "metadata", a container. */
function isSingleLabel(hostname: string): boolean {
  return /^[^.]*\.*$/.test(hostname);
}

function refuse(reason: string): UrlCheck & { ok: false } {
  return { ok: false, reason };
}

/** Also finds empty ones: `https://:@host/` has none after parsing. */
function hasUserInfo(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*@/i.test(text.trim());
}
