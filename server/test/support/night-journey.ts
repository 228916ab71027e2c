// A service on 2026-03-10 for journeys about the night of 2026-03-09: users with a phone, and what reads return for them.
import assert from 'node:assert/strict';
import type { Ending } from './ending.ts';
import type { JsonBody } from './test-api.ts';
import { createFrozenClock } from './test-clock.ts';
import { startPhone } from './test-phone.ts';
import { startTestService } from './test-service.ts';
import { createUser } from './test-users.ts';

export const FORM2 = { headers: { 'api-form': '2' } };
const NOW = new Date('2026-03-10T20:00:00Z');
const DATE = '2026-03-09';

export async function startNightJourney(t: Ending) {
  const service = await startTestService({ clock: createFrozenClock(NOW) });
  t.after(() => service.stop());
  const api = service.api();
  return {
    service,
    api,
    async person(timezone = 'Europe/Berlin') {
      const { id } = await createUser(api, { timezone });
      return { id, phone: await startPhone(service, id) };
    },
    async day(id: string, metric: string, date = DATE): Promise<number | null> {
      const path = `/v1/users/${id}/daily?metrics=${metric}&start_date=${date}&end_date=${date}`;
      const { body, status, text } = await api.get(path, { headers: { 'api-form': '1' } });
      assert.equal(status, 200, text);
      return body.data[0]?.value ?? null;
    },
    nightsOf: async (id: string): Promise<JsonBody[]> =>
      (await api.get(`/v1/users/${id}/sleep?from_date=2026-03-01&to_date=2026-03-10`, FORM2)).body.data,
    explain: async (id: string, metric: string, date = DATE): Promise<JsonBody> =>
      (await api.get(`/v1/users/${id}/daily/explain?metric=${metric}&date=${date}`, FORM2)).body,
  };
}
