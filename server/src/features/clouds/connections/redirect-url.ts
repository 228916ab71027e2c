// Checks the URL that the user returns to. Only the holder of an API key can set it, before the user starts. Pure.

import type { Environment } from '../../../domain/tenancy.ts';
import type { Ending } from './authorization-request.ts';

const MAX_URL_CHARACTERS = 2_048; // what browsers accept without truncation

type RedirectCheck = { readonly url: string } | { readonly problem: string };

/** What the account may redirect to besides https. Schemes are without the colon. */
type AllowedTargets = { readonly schemes: readonly string[]; readonly environment: Environment };

/** Hosts of the developer's own machine. Sandbox users may be sent there without TLS. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

export function checkRedirectUrl(text: string, allowed: AllowedTargets): RedirectCheck {
  if (text.length > MAX_URL_CHARACTERS) return { problem: `must be at most ${MAX_URL_CHARACTERS} characters long` };
  // Parsers drop or reinterpret these characters, and the URL that we check must be the URL that the browser follows.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return { problem: 'must be a valid URL' };
  const url = new URL(text);
  if (!isAllowedTarget(url, allowed)) return { problem: describeTargets(allowed) };
  if (/^[^:]*:[/]*[^/?]*@/.test(text)) return { problem: 'must not contain a user name or password' };
  if (text.includes('#')) return { problem: 'must not have a fragment (#)' };
  return url.href.length > MAX_URL_CHARACTERS ? { problem: 'is too long after URL encoding' } : { url: url.href };
}

function isAllowedTarget({ protocol, hostname }: URL, { schemes, environment }: AllowedTargets): boolean {
  if (protocol === 'http:') return environment === 'sandbox' && LOCAL_HOSTS.includes(hostname);
  return protocol === 'https:' || schemes.includes(protocol.slice(0, -1));
}

function describeTargets({ environment }: AllowedTargets): string {
  const rule = 'must use https or a scheme that the account has registered';
  return environment === 'sandbox'
    ? `${rule}; in the sandbox, http://localhost and http://127.0.0.1 are allowed too`
    : rule;
}

/** Does not change the existing query. */
export function addOutcome(redirectUrl: string, ending: Ending): string {
  const url = new URL(redirectUrl);
  for (const name of ['device_id', 'status', 'failure_reason', 'reason'])
    if (url.searchParams.has(name)) url.searchParams.delete(name);
  const { deviceId: device_id, status } = ending;
  const reason = ending.status === 'failed' ? { failure_reason: ending.reason, reason: ending.reason } : {};
  const outcome = new URLSearchParams({ device_id, status, ...reason }).toString();
  url.search = url.search === '' ? outcome : `${url.search}&${outcome}`;
  return url.href;
}

/** The only origin that may receive the outcome of a popup. Null: the URL belongs to an app, not to a page. */
export function originOf(redirectUrl: string | null): string | null {
  if (redirectUrl === null) return null;
  const { origin } = new URL(redirectUrl);
  return origin === 'null' ? null : origin;
}
