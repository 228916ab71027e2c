// The whole history of simulated users, with the default settings of a server.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { openSandboxClouds } from '../support/sandbox-clouds.ts';
import { stepsSeenBy } from '../support/simulated-life.ts';

type Row = { readonly date: LocalDate; readonly value: number };

const YEAR_DAYS = 365;
const clouds = await openSandboxClouds(YEAR_DAYS);
after(() => clouds.service.stop());

describe('the history of a simulated user', () => {
  for (const provider of ['google_health', 'withings'] as const)
    it(`${provider}: goes back to its first day, without waiting for a request budget`, async () => {
      const person = await clouds.connect(await clouds.createUser(), provider);
      await clouds.awaitHistory(person);
      const first = addDays(clouds.today(), -30);
      assert.deepEqual((await clouds.device(person)).backfill, { state: 'done', from_date: first });
      const days = `start_date=${first}&end_date=${clouds.today()}`;
      const { data } = await clouds.read(`/v1/users/${person.userId}/daily?${days}&metrics=steps`);
      const ended = Array.from({ length: 30 }, (_, index) => addDays(first, index));
      assert.deepEqual(
        data.filter(({ date }: Row) => date < clouds.today()).map(({ date, value }: Row) => [date, value]),
        ended.map((date) => [date, stepsSeenBy(provider, person.account, date)]),
      );
      const calls = await clouds.service.running.services.metrics.render();
      assert.match(calls, new RegExp(`provider_call_seconds_count\\{provider="${provider}",outcome="ok"\\}`));
      assert.doesNotMatch(calls, new RegExp(`provider="${provider}",outcome="no_budget"`));
    });
});
