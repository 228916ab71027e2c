// Checks the URL that the user returns to. Only the holder of an API key can set it, before the user starts. Pure.

const MAX_URL_CHARACTERS = 2_048; // what browsers accept without truncation

type RedirectCheck = { readonly url: string } | { readonly problem: string };

/** `schemes`: the schemes that the account registered, without the colon. */
export function checkRedirectUrl(text: string, schemes: readonly string[]): RedirectCheck {
  if (text.length > MAX_URL_CHARACTERS) return { problem: `must be at most ${MAX_URL_CHARACTERS} characters long` };
  // Parsers drop or reinterpret these characters, and the URL that we check must be the URL that the browser follows.
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return { problem: 'must be a valid URL' };
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https' && !schemes.includes(scheme))
    return { problem: 'must use https or a scheme that the account has registered' };
  if (/^[^:]*:[/]*[^/?]*@/.test(text)) return { problem: 'must not contain a user name or password' };
  if (text.includes('#')) return { problem: 'must not have a fragment (#)' };
  return url.href.length > MAX_URL_CHARACTERS ? { problem: 'is too long after URL encoding' } : { url: url.href };
}

export type Outcome = { readonly deviceId: string; readonly status: 'active' | 'failed' };

/** Leaves the existing query as it was written. */
export function addOutcome(redirectUrl: string, { deviceId, status }: Outcome): string {
  const url = new URL(redirectUrl);
  for (const name of ['device_id', 'status']) if (url.searchParams.has(name)) url.searchParams.delete(name);
  const outcome = new URLSearchParams({ device_id: deviceId, status }).toString();
  url.search = url.search === '' ? outcome : `${url.search}&${outcome}`;
  return url.href;
}
