// A user who connects an account, from the API call to the last page.
import assert from 'node:assert/strict';
import type { JsonBody, TestApi } from './test-api.ts';
import { openBrowser, type Page, type TestBrowser } from './test-browser.ts';

type Begun = {
  readonly id: string;
  readonly provider: string;
  readonly status: string;
  readonly auth_url: string;
};

export async function beginConnecting(
  api: TestApi,
  userId: string,
  provider: string,
  fields: object = {},
): Promise<Begun> {
  const answer = await api.post(
    `/v1/users/${userId}/devices`,
    { provider, ...fields },
    { headers: { 'api-form': '2' } },
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** `cookie` binds the authorization request to the browser. */
type Way = { readonly callback: string; readonly authorize: URL; readonly cookie: string };

/** Stops at the provider: its redirect back is not opened yet. */
export async function agree(authUrl: string, browser: TestBrowser = openBrowser()): Promise<Way> {
  const sent = await browser.press(await browser.open(authUrl), 'allow');
  assert.equal(sent.status, 303, sent.text);
  const { location } = await browser.open(sent.location ?? '');
  const [cookie = ''] = (sent.headers.get('set-cookie') ?? '').split(';');
  return { authorize: new URL(sent.location ?? ''), callback: location ?? '', cookie };
}

/** Follows redirects up to a page or to the app. */
export async function walk(authUrl: string, browser: TestBrowser = openBrowser()): Promise<Page> {
  const { callback } = await agree(authUrl, browser);
  return browser.open(callback);
}

/** The same for a provider with its own consent page, such as the simulator. */
export async function walkThroughConsent(
  authUrl: string,
  browser: TestBrowser = openBrowser(),
  decision = 'allow',
): Promise<Page> {
  const sent = await browser.press(await browser.open(authUrl), 'allow');
  assert.equal(sent.status, 303, sent.text);
  const agreed = await browser.press(await browser.open(sent.location ?? ''), decision);
  assert.equal(agreed.status, 303, agreed.text);
  return browser.open(agreed.location ?? '');
}

export async function readDevice(api: TestApi, userId: string, id: string): Promise<JsonBody> {
  const { body } = await api.get(`/v1/users/${userId}/devices`);
  return body.data.find((device: { id: string }) => device.id === id) ?? null;
}
