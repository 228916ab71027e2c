// The sources of daily values and their explanations come from different code; both must name the same devices and values.
import assert from 'node:assert/strict';
import type { JsonBody, TestApi } from './test-api.ts';

const CONTRIBUTING = ['used', 'partly_used'];

/** Checks every value of these days that devices reported. */
export async function assertSourcesExplained(api: TestApi, userId: string, from: string, to = from): Promise<void> {
  const form1 = { headers: { 'api-form': '1' } };
  const path = `/v1/users/${userId}/daily`;
  const { body } = await api.get(`${path}?include_sources=true&start_date=${from}&end_date=${to}`, form1);
  const reported = body.data.filter(({ source }: JsonBody) => source?.provider !== 'tributary');
  assert.ok(reported.length > 0, 'no device reported a value');
  for (const { metric, date, source, sources } of reported) {
    const explained = await api.get(`${path}/explain?metric=${metric}&date=${date}`, form1);
    const used = explained.body.data.candidates.filter(({ outcome }: JsonBody) => CONTRIBUTING.includes(outcome));
    assert.deepEqual(describe(sources ?? [source]), describe(used), `${metric} of ${date}`);
  }
}

/** The order differs: explanations list devices by rank, sources begin with the device of the main session. */
function describe(list: readonly (JsonBody | null)[]): unknown[] {
  return list
    .map((one) => [one?.device_id, one?.original_value, one?.original_unit])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
