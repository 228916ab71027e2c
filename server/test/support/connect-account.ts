// A person who connects an account, from the call of the API to the last page.
import assert from 'node:assert/strict';
import type { JsonBody, TestApi } from './test-api.ts';
import { openBrowser, type Page, type TestBrowser } from './test-browser.ts';

export type Begun = {
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

/** `cookie`: what binds the attempt to the browser. */
export type Way = { readonly callback: string; readonly authorize: URL; readonly cookie: string };

/** Up to the provider: where it sends the person is not opened yet. */
export async function agree(authUrl: string, browser: TestBrowser = openBrowser()): Promise<Way> {
  const sent = await browser.press(await browser.open(authUrl), 'allow');
  assert.equal(sent.status, 303, sent.text);
  const { location } = await browser.open(sent.location ?? '');
  const [cookie = ''] = (sent.headers.get('set-cookie') ?? '').split(';');
  return { authorize: new URL(sent.location ?? ''), callback: location ?? '', cookie };
}

/** Until there is a page, or the way leads to the app. */
export async function walk(authUrl: string, browser: TestBrowser = openBrowser()): Promise<Page> {
  const { callback } = await agree(authUrl, browser);
  return browser.open(callback);
}

/** The same where the provider asks the person on a page of its own, as the simulator does. */
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
