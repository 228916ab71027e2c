// Where a person is sent after connecting. Only the holder of an API key says where, before anybody is on the way. Pure.

const MAX_URL_CHARACTERS = 2_048; // what browsers take without cutting

export type RedirectCheck = { readonly url: string } | { readonly problem: string };

/** `schemes`: those that the account registered, without the colon. */
export function checkRedirectUrl(text: string, schemes: readonly string[]): RedirectCheck {
  if (text.length > MAX_URL_CHARACTERS) return { problem: `is longer than ${MAX_URL_CHARACTERS} characters` };
  // Parsers drop some of these or take them for others: what is checked must be what is followed.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return { problem: 'is not a URL' };
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && !schemes.includes(scheme))
    return { problem: 'must be https, or a scheme that the account has registered' };
  if (/^[^:]*:[/]*[^/?]*@/.test(text)) return { problem: 'must not hold a user name or a password' };
  if (text.includes('#')) return { problem: 'must not have a fragment (#)' };
  return url.href.length > MAX_URL_CHARACTERS ? { problem: 'is too long once it is encoded' } : { url: url.href };
}

export type Outcome = { readonly deviceId: string; readonly status: 'active' | 'failed' };

/** What stood in its query stays as it was written. */
export function addOutcome(redirectUrl: string, { deviceId, status }: Outcome): string {
  const url = new URL(redirectUrl);
  for (const name of ['device_id', 'status']) if (url.searchParams.has(name)) url.searchParams.delete(name);
  const outcome = new URLSearchParams({ device_id: deviceId, status }).toString();
  url.search = url.search === '' ? outcome : `${url.search}&${outcome}`;
  return url.href;
}
