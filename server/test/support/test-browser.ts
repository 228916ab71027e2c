// A browser without scripts for connecting an account: cookies, forms, and redirects one by one.
import assert from 'node:assert/strict';

export type Page = {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The absolute URL of the redirect; null for a page. */
  readonly location: string | null;
};

export type TestBrowser = {
  open(url: string): Promise<Page>;
  /** Presses a button of the consent page. */
  press(page: Page, decision: string, headers?: Record<string, string>): Promise<Page>;
  /** Follows redirects up to a page or until they leave the given origins. */
  follow(page: Page, origins: readonly string[]): Promise<Page>;
};

type Cookie = { readonly origin: string; readonly path: string; readonly name: string; readonly value: string };

export function openBrowser(): TestBrowser {
  let cookies: Cookie[] = [];

  function cookieHeader(url: URL): string {
    return cookies
      .filter(
        ({ origin, path }) => origin === url.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`)),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  function keep(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const attribute = (wanted: string) =>
      attributes.find((text) => text.startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const cookie = { origin: url.origin, path: attribute('Path') ?? '/', name, value };
    cookies = cookies.filter(
      (other) => other.name !== name || other.path !== cookie.path || other.origin !== cookie.origin,
    );
    if (attribute('Max-Age') !== '0') cookies.push(cookie);
  }

  /** Browsers follow redirects within our service by themselves; tests look only at those that lead elsewhere. */
  async function request(address: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Page> {
    const page = await send(address, init);
    return page.location !== null && /\/connect\/result\//.test(page.location)
      ? send(page.location, { headers: { accept: 'text/html' } })
      : page;
  }

  async function send(address: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Page> {
    const url = new URL(address);
    const cookie = cookieHeader(url);
    const headers = { ...(cookie !== '' && { cookie }), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(url, line);
    const target = response.headers.get('location');
    return {
      url: address,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: target === null ? null : new URL(target, url).href,
    };
  }

  const open = (url: string) => request(url, { headers: { accept: 'text/html' } });
  return {
    open,
    async press(page, decision, headers = {}) {
      assert.match(page.text, /<form method="post"/);
      assert.match(page.text, new RegExp(`name="decision" value="${decision}"`));
      return request(page.url, { method: 'POST', body: new URLSearchParams({ decision }), headers });
    },
    async follow(page, origins) {
      let current = page;
      while (current.location !== null && origins.includes(new URL(current.location).origin))
        current = await open(current.location);
      return current;
    },
  };
}
