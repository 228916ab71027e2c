// Checks that only the provider itself can send a webhook, and only once.

import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import type { CloudProvider, WebhookRequest, WebhookRule, WebhookSecrets } from '../../src/providers/contract.ts';
import { ProviderAnswerError } from '../../src/providers/contract.ts';
import type { ProviderFixtures, SignedWebhook } from './provider-fixture.ts';

const LONG_AFTER_MS = 7 * DAY_MS;

export function checkWebhooks(provider: CloudProvider, { webhook: fixtures }: ProviderFixtures): void {
  const { webhook } = provider;
  assert.equal(webhook === null, fixtures === null, 'a webhook needs fixtures');
  if (webhook === null || fixtures === null) return;
  assert.ok(fixtures.signed.length > 0, 'no webhook in the fixture');
  for (const signed of fixtures.signed) {
    const { request, secrets, at } = signed;
    assert.equal(webhook.verify(request, secrets, at), 'genuine');
    assert.equal(webhook.answerChallenge(request, secrets), null, 'a webhook is not a challenge');
    assert.deepEqual(webhook.readWebhookItems(request.body), signed.webhooks);
    assert.deepEqual(webhook.readWebhookItems(request.body), signed.webhooks, 'reading it twice gives the same result');
    checkForgeries(webhook, signed);
    checkReplay(webhook, signed, fixtures.signsTime);
  }
  checkNonsense(webhook);
}

function checkForgeries(webhook: WebhookRule, { request, secrets, at }: SignedWebhook): void {
  const isForged = (forged: WebhookRequest, reported: WebhookSecrets, what: string) =>
    assert.equal(webhook.verify(forged, reported, at), 'forged', what);
  isForged(request, replaceSecrets(secrets), 'with the secrets of somebody else');
  for (const name of Object.keys(request.headers)) {
    const { [name]: value = '', ...others } = request.headers;
    isForged({ ...request, headers: others }, secrets, `without ${name}`);
    isForged({ ...request, headers: { ...others, [name]: '' } }, secrets, `with an empty ${name}`);
    isForged({ ...request, headers: { ...others, [name]: flipLast(value) } }, secrets, `with another ${name}`);
  }
  if (webhook.trust === 'path')
    isForged({ ...request, path: '/provider-webhooks/guessed' }, secrets, 'at another path');
  if (webhook.trust !== 'hmac' && webhook.trust !== 'asymmetric') return;
  const longer = Buffer.concat([request.body, Buffer.from(' ')]);
  isForged({ ...request, body: longer }, secrets, 'with another body');
  isForged({ ...request, body: new Uint8Array() }, secrets, 'without a body');
}

/** Where no time is signed, a replayed webhook must at least report nothing new. */
function checkReplay(webhook: WebhookRule, { request, secrets, at }: SignedWebhook, signsTime: boolean): void {
  const later = new Date(at.getTime() + LONG_AFTER_MS);
  assert.equal(webhook.verify(request, secrets, later), signsTime ? 'stale' : 'genuine', 'long after');
  if (!signsTime) return;
  const before = new Date(at.getTime() - LONG_AFTER_MS);
  assert.equal(webhook.verify(request, secrets, before), 'stale', 'from the future');
}

/** The receiver catches only ProviderAnswerError, so no input may cause another error. */
function checkNonsense(webhook: WebhookRule): void {
  for (const body of ['', '{', '[]', 'null', '"a"', '{"user_id":[]}', 'userid=&appli=x', '\u0000'])
    try {
      assert.deepEqual(webhook.readWebhookItems(Buffer.from(body)), [], `a webhook read from ${JSON.stringify(body)}`);
    } catch (error) {
      assert.ok(error instanceof ProviderAnswerError, `${JSON.stringify(body)}: ${error}`);
    }
}

function replaceSecrets(secrets: WebhookSecrets): WebhookSecrets {
  const texts = Object.entries(secrets).filter(([, value]) => typeof value === 'string');
  const replace = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'somebody-else']));
  const extras = replace(Object.keys(secrets.extras ?? {}));
  return { ...secrets, ...replace(texts.map(([name]) => name)), extras, publicKeys: {} };
}

/** The same length, and of the same alphabet. */
function flipLast(text: string): string {
  const padding = /=*$/.exec(text)?.[0] ?? '';
  const body = text.slice(0, text.length - padding.length);
  // In base64 the last character before padding may hold unused bits; the one before it never does.
  const at = body.length - 2;
  return `${body.slice(0, at)}${body[at] === '1' ? '2' : '1'}${body.slice(at + 1)}${padding}`;
}
