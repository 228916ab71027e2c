// The pages of an account give the same result in any order, and past days do not change.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import { assertSameState } from '../support/assert-same-state.ts';
import { addUp, openAccount } from '../support/read-account.ts';
import { windowOfDays } from '../support/simulated-connection.ts';

const DAYS = 14;
/** All workouts of two weeks are in one page. */
const ONE_PAGE: readonly string[] = ['wahoo', 'coros'];

for (const provider of CLOUD_PROVIDERS) {
  describe(`pages of ${provider.displayName}`, () => {
    for (const account of ['ann', 'bob'])
      it(`give the same result for ${account} in any order`, async (t) => {
        const { clock, read } = await openAccount(t, provider, account);
        const pages = await read(windowOfDays(clock.now(), DAYS));
        const reported = pages.filter((page) => page.samples.size + page.daily.length + page.workouts.length > 0);
        assert.ok(
          reported.length > (ONE_PAGE.includes(provider.id) ? 0 : 1),
          `${reported.length} pages with data; if two weeks fit into one page, add the provider to ONE_PAGE`,
        );
        const inOrder = addUp(pages, clock.now());
        assertSameState(addUp(pages.toReversed(), clock.now()), inOrder);
        const [odd, even] = [pages.filter((_, index) => index % 2 === 1), pages.filter((_, index) => index % 2 === 0)];
        assertSameState(addUp([...odd, ...even, ...odd], clock.now()), inOrder);
      });

    it('report the same values for past days', async (t) => {
      const { clock, read } = await openAccount(t, provider, 'ann');
      const { from, to } = windowOfDays(clock.now(), DAYS);
      const over = { from, to: to - 3 * DAY_MS };
      const readOver = async () => addUp(await read(over), clock.now(), over);
      const before = await readOver();
      assert.ok(before.size > 0);
      clock.advance(2.4 * DAY_MS);
      assertSameState(await readOver(), before);
    });
  });
}
