// A total that a provider reports without its parts is used while the parts are unknown; their sum outranks it.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { MetricId } from '../../src/domain/metrics/index.ts';
import type { LocalDate } from '../../src/domain/time/calendar.ts';
import { type Deletion, ingest } from '../../src/features/pipeline/ingest/index.ts';
import { listSourceDevices } from '../../src/features/store/devices/index.ts';
import { changeUser } from '../../src/features/tenancy/user-core/index.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { insertDevice, openTestUser } from '../support/test-samples.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const service = await startTestService({ clock: createFrozenClock(NOW) });
after(() => service.stop());
const api = service.api();
const { db } = service.running.services;
const DATE = '2026-03-02' as LocalDate;

type Device = { readonly id: string };

async function createPerson() {
  const { id } = await createUser(api, { timezone: 'Europe/Berlin' });
  const band = await insertDevice(db, id, { number: 1, provider: 'whoop', deviceClass: 'wrist' });
  const watch = await insertDevice(db, id, { number: 2, provider: 'garmin', deviceClass: 'wrist' });
  return { id, band, watch };
}

async function state(
  userId: string,
  { id }: Device,
  values: Readonly<Record<string, number>>,
  deletions: readonly Deletion[] = [],
): Promise<void> {
  const user = await openTestUser(db, userId);
  const daily = Object.entries(values).map(([metric, value]) => {
    return { metric: metric as MetricId, date: DATE, value, unit: 'kcal', method: 'automatic' as const };
  });
  await changeUser(service.running.services, user.tenant, user.userId, async (tx, locked) => {
    assert.ok(locked !== null);
    const devices = await listSourceDevices(tx, locked.handle);
    const device = devices.find((one) => one.id === id) ?? assert.fail('no such device');
    await ingest(
      tx,
      locked.handle,
      { device, devices },
      { samples: new Map(), sleep: [], workouts: [], daily, deletions },
      NOW,
    );
  });
}

async function readTotal(id: string) {
  const { body } = await api.get(`/v1/users/${id}/daily?start_date=${DATE}&end_date=${DATE}&metrics=total_calories`);
  return body.data.map(({ value }: { value: number }) => value);
}

const explain = async (id: string) =>
  (await api.get(`/v1/users/${id}/daily/explain?metric=total_calories&date=${DATE}`)).body.data;

describe('total_calories of a provider', () => {
  it('is returned, consolidated and explained like any value while the parts are unknown', async () => {
    const { id, band, watch } = await createPerson();
    await state(id, band, { total_calories: 2_345 });
    await state(id, watch, { active_calories: 600 });
    assert.deepEqual(await readTotal(id), [2_345]);
    const { value, method, computed, candidates } = await explain(id);
    assert.deepEqual([value, method, computed], [2_345, 'merge', null]);
    assert.deepEqual(
      candidates.map((one: { provider: string; outcome: string }) => [one.provider, one.outcome]),
      [['whoop', 'used']],
    );
  });

  it('is replaced by the sum of the parts, in any order, and returns when a part is removed', async () => {
    const [early, late] = [await createPerson(), await createPerson()];
    const parts = { active_calories: 600, resting_energy: 1_700 };
    await state(early.id, early.watch, parts);
    await state(early.id, early.band, { total_calories: 2_345 });
    await state(late.id, late.band, { total_calories: 2_345 });
    await state(late.id, late.watch, parts);
    for (const { id, watch } of [early, late]) {
      assert.deepEqual(await readTotal(id), [2_300]);
      const { value, method, computed, candidates } = await explain(id);
      assert.deepEqual([value, method, typeof computed], [2_300, null, 'string']);
      assert.deepEqual(
        candidates.map((one: { provider: string; outcome: string }) => [one.provider, one.outcome]),
        [['whoop', 'parts_known']],
      );
      await state(id, watch, {}, [{ kind: 'daily', metric: 'resting_energy' as MetricId, date: DATE }]);
      assert.deepEqual(await readTotal(id), [2_345]);
    }
  });

  it('is removed and restored with the setting of its provider, through a rebuild of every day', async () => {
    const { id, band } = await createPerson();
    await state(id, band, { total_calories: 2_345 });
    const settles = (isOn: boolean, total: readonly number[]) =>
      waitUntil(`whoop is ${isOn}`, async () => isDeepStrictEqual(await readTotal(id), total));
    for (const isOn of [false, true]) {
      const { status } = await api.patch(`/v1/users/${id}/consolidation`, { providers: { whoop: isOn } });
      assert.equal(status, 202);
      await settles(isOn, isOn ? [2_345] : []);
    }
  });
});
