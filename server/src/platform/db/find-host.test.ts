import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppError } from '../errors.ts';
import { createHostFinder } from './find-host.ts';

const A = { host: 'a', port: 1 };
const B = { host: 'b', port: 2 };

describe('createHostFinder', () => {
  it('leaves a single host to the driver', async () => {
    const finder = createHostFinder([], () => assert.fail('nothing to search'));
    assert.equal(await finder.find(), null);
  });

  it('returns the host that accepts, and does not wait for one that does not respond', async () => {
    const finder = createHostFinder([A, B], (host) =>
      host === B ? Promise.resolve() : new Promise<void>(() => undefined),
    );
    assert.equal(await finder.find(), B);
  });

  it('searches once for all who wait, and again only after a doubt about the found host', async () => {
    let tries = 0;
    let writer = A;
    const finder = createHostFinder([A, B], async (host) => {
      tries += 1;
      if (host !== writer) throw new Error('read-only');
    });
    assert.deepEqual(await Promise.all([finder.find(), finder.find(), finder.find()]), [A, A, A]);
    assert.equal(tries, 2);
    writer = B;
    finder.doubt(B);
    assert.equal(await finder.find(), A);
    finder.doubt(A);
    assert.equal(await finder.find(), B);
    assert.equal(tries, 4);
  });

  it('is unavailable with the reason of each host, and searches again a moment later', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let tries = 0;
    let isUp = false;
    const finder = createHostFinder([A, B], async () => {
      tries += 1;
      if (!isUp) throw new Error('refused');
    });
    const failure = await finder.find().then(
      () => assert.fail('no host accepts'),
      (error: AppError) => error,
    );
    assert.equal(failure.code, 'unavailable');
    assert.match(String(failure.cause), /no host accepts connections \(a:1: refused; b:2: refused\)/);
    isUp = true;
    await assert.rejects(finder.find());
    assert.equal(tries, 2);
    t.mock.timers.tick(100);
    assert.equal(await finder.find(), A);
  });
});
