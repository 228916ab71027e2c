// The maximum heart rate for zones: the entered one, else the observed maximum of a year, else an estimate.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { formatInstant } from '../../src/domain/time/calendar.ts';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date('2026-03-20T12:00:00Z'));
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api();

const RUN = {
  id: 'run-1',
  sport_type: 'running',
  start: '2026-03-18T17:00:00Z',
  end: '2026-03-18T17:30:00Z',
  heart_rate: {
    samples: Array.from({ length: 31 }, (_, minute) => ({
      timestamp: formatInstant(new Date(Date.parse('2026-03-18T17:00:00Z') + minute * MINUTE_MS)),
      bpm: 180,
    })),
  },
};

/** 1,200 samples, of which the last ones are replaced by the given values. */
function heartRates(date: string, ...last: number[]) {
  const begin = Date.parse(`${date}T00:00:00Z`);
  return Array.from({ length: 1_200 }, (_, minute) => ({
    metric: 'heart_rate',
    start: formatInstant(new Date(begin + minute * MINUTE_MS)),
    value: last[1_199 - minute] ?? 70,
  }));
}

async function readMaximum(userId: string): Promise<number> {
  const { body } = await api.get(`/v1/users/${userId}/workouts?from_date=2026-03-18&to_date=2026-03-18`);
  const detail = await api.get(`/v1/users/${userId}/workouts/${body.data[0].id}`, { headers: { 'api-form': '2' } });
  return detail.body.heart_rate.zones.at(-1).max_bpm;
}

async function readZone(userId: string, zone: number): Promise<number | null> {
  const metric = `heart_rate_zone_${zone}_time`;
  const { body } = await api.get(`/v1/users/${userId}/daily?from_date=2026-03-18&to_date=2026-03-18&types=${metric}`);
  return body.series[metric][0];
}

describe('the maximum heart rate', () => {
  it('is the observed maximum of the past year if it exceeds the estimate for the age; one outlier does not count', async () => {
    const { id } = await createUser(api);
    const phone = await startPhone(service, id);
    await phone.upload({ workouts: [RUN] });
    assert.equal(await readMaximum(id), 190);
    assert.equal(await readZone(id, 5), 30);
    await phone.upload({ samples: heartRates('2026-03-10', 240) });
    assert.equal(await readMaximum(id), 190, 'a single sample in a thousand');
    await phone.upload({ samples: heartRates('2026-03-09', 214, 215, 213) });
    assert.equal(await readMaximum(id), 214);
    assert.deepEqual([await readZone(id, 3), await readZone(id, 5)], [30, 0]);
  });

  it('is the entered value if there is one, and follows late and deleted samples', async () => {
    const { id } = await createUser(api, { profile: { max_heart_rate: 201 } });
    const phone = await startPhone(service, id);
    await phone.upload({ workouts: [RUN], samples: heartRates('2025-03-19', 214, 214) });
    assert.equal(await readMaximum(id), 201);
    assert.equal((await api.patch(`/v1/users/${id}`, { profile: { max_heart_rate: null } })).status, 200);
    await waitUntil('the zones are recomputed', async () => (await readMaximum(id)) === 214);
    await phone.upload({
      deleted: [{ kind: 'samples', metric: 'heart_rate', start: '2025-03-19T00:00:00Z', end: '2025-03-20T00:00:00Z' }],
    });
    assert.equal(await readMaximum(id), 190);
    await phone.upload({ samples: heartRates('2025-03-18', 214, 214) });
    assert.equal(await readMaximum(id), 190, 'more than a year ago');
  });

  it('is the observed maximum of an old person too, also if the birth date becomes known after it', async () => {
    const { id } = await createUser(api, { profile: { birth_date: '1930-01-01' } });
    const phone = await startPhone(service, id);
    await phone.upload({ workouts: [RUN] });
    assert.equal(await readMaximum(id), 140.8, 'the estimate');
    await phone.upload({ samples: heartRates('2026-03-09', 149, 149, 149) });
    assert.equal(await readMaximum(id), 149);
    assert.equal((await api.patch(`/v1/users/${id}`, { profile: { birth_date: '1990-01-01' } })).status, 200);
    await waitUntil('the zones are recomputed', async () => (await readMaximum(id)) === 182.8);

    const other = await createUser(api);
    await (await startPhone(service, other.id)).upload({
      workouts: [RUN],
      samples: heartRates('2026-03-09', 149, 149, 149),
    });
    assert.equal(await readMaximum(other.id), 190);
    await api.patch(`/v1/users/${other.id}`, { profile: { birth_date: '1930-01-01' } });
    await waitUntil('the maximum is found', async () => (await readMaximum(other.id)) === 149);
  });
});
