import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';
import { systemClock } from './clock.ts';
import type { SecretEnvelope } from './crypto/secret-envelope.ts';
import type { Database } from './db/database.ts';
import { createTokenSigner } from './token-signer.ts';

it('loads the library again for the next token after a failure', async (t) => {
  let failures = 1;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'jose' && failures-- > 0) throw new Error('EMFILE: too many open files');
      return next(specifier, context);
    },
  });
  t.after(() => hooks.deregister());
  // A token that is none is refused before any key is asked for.
  const nowhere = { db: {} as Database, secrets: {} as SecretEnvelope, clock: systemClock, deploymentId: () => 'none' };
  const signer = createTokenSigner({ ...nowhere, lifetimeMs: 0 });
  await assert.rejects(signer.verify('no token'), /too many open files/);
  assert.equal(await signer.verify('no token'), null);
});
