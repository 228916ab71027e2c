import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebhookSecrets } from '../../../providers/contract.ts';
import { listVerifiers } from './known-apps.ts';

const secretsOf = (version: number, signingSecret: string): WebhookSecrets => ({
  clientId: 'client',
  clientSecret: 'secret',
  verificationToken: `token ${version}`,
  publicKeys: {},
  signingSecret,
});
const ALL = [1, 2, 3].flatMap((version) => ['new', 'old'].map((signing) => secretsOf(version, signing)));

describe('the secrets that a provider webhook is verified with', () => {
  it('are one per signing secret if the body is signed, however many versions the URL has', () => {
    const verifiers = listVerifiers('hmac', ALL);
    assert.deepEqual(
      verifiers.map(({ signingSecret }) => signingSecret),
      ['new', 'old'],
    );
  });

  it('are all of them if the URL or a token authenticates the sender', () => {
    assert.deepEqual(listVerifiers('path', ALL), ALL);
    assert.deepEqual(listVerifiers('token', ALL), ALL);
  });
});
