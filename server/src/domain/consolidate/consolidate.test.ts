import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DEVICE_CLASSES, METHODS, type Method } from '../metrics/metric.ts';
import type { EpochMs } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { NO_QUARTER_HOURS, QUARTER_HOUR_MS, type QuarterHours } from '../time/quarter-hours.ts';
import { type Candidate, consolidate, OUTCOME_REASONS } from './index.ts';
import type { RankedDevice } from './ranking.ts';

const RANKING = ['wrist', 'phone', 'ring', 'app'] as const; // of steps

type Given = Partial<Omit<Candidate, 'device' | 'quarterHours'>> & {
  device?: Partial<RankedDevice>;
  quarters?: Record<number, number>;
};

function candidate(id: string, { device, quarters, total, isEnabled = true, isImported = false }: Given): Candidate {
  const quarterHours = quarters === undefined ? NO_QUARTER_HOURS : toQuarterHours(quarters);
  const sampled = quarters === undefined ? null : quarterHours.sums.reduce((sum, part) => sum + part, 0);
  return {
    device: {
      id: id as DeviceId,
      provider: id,
      deviceClass: 'wrist',
      transport: 'cloud',
      connectedAt: 0 as EpochMs,
      ...device,
    },
    isEnabled,
    isImported,
    total: total === undefined ? sampled : total,
    quarterHours,
  };
}

function toQuarterHours(quarters: Record<number, number>): QuarterHours {
  return { indexes: Object.keys(quarters).map(Number), sums: Object.values(quarters), long: [] };
}

const watch = (given: Given) => candidate('watch', given);
const phone = (given: Given) => candidate('phone', { ...given, device: { deviceClass: 'phone', ...given.device } });

function summarize(method: Method, ...candidates: Candidate[]) {
  const { value, contributors, outcomes } = consolidate(method, RANKING, candidates);
  return {
    value,
    from: contributors.map(({ id }) => id as string),
    outcomes: outcomes.map(({ device, outcome }) => `${device.id} ${outcome}`),
  };
}

describe('an app on the phone beside the connected account of its vendor', () => {
  const account = candidate('garmin', { total: 9_000 });
  const app = candidate('app', {
    total: 9_100,
    device: { provider: 'apple_health', transport: 'sdk', vendor: 'garmin' },
  });

  it('is not counted, though phones rank first', () => {
    for (const method of METHODS)
      assert.deepEqual(
        summarize(method, app, account),
        { value: 9_000, from: ['garmin'], outcomes: ['app re_export', 'garmin used'] },
        method,
      );
  });

  it('is counted if the account has no value or is disabled', () => {
    for (const none of [candidate('garmin', { total: null }), candidate('garmin', { total: 9_000, isEnabled: false })])
      for (const method of METHODS) assert.equal(summarize(method, app, none).value, 9_100, method);
    assert.equal(summarize('priority', app, candidate('polar', { total: 1 })).value, 9_100, 'another vendor');
  });

  it('does not outrank others, and is not added or averaged', () => {
    const ring = candidate('oura', { total: 8_000, device: { connectedAt: 1 as EpochMs } });
    assert.deepEqual(summarize('priority', app, account, ring).from, ['oura']);
    assert.equal(summarize('sum', app, account, ring).value, 17_000);
    assert.equal(summarize('avg', app, account, ring).value, 8_500);
    assert.equal(summarize('max', app, account, ring).value, 9_000);
  });

  it('fills in its samples if the day is merged with other devices', () => {
    const sampled = candidate('app', { quarters: { 1: 500, 2: 400 }, device: app.device });
    const pocket = phone({ quarters: { 2: 10, 3: 30 }, device: { transport: 'sdk' } });
    assert.equal(summarize('merge', sampled, account, pocket).value, 930);
  });

  it('is not counted with its total alone if the day is merged with other devices', () => {
    const sampled = candidate('garmin', { quarters: { 1: 500, 2: 400 } });
    const pocket = phone({ quarters: { 2: 10, 3: 30 }, device: { transport: 'sdk' } });
    assert.deepEqual(summarize('merge', app, sampled, pocket), {
      value: 540,
      from: ['phone', 'garmin'],
      outcomes: ['app re_export', 'phone used', 'garmin partly_used'],
    });
  });
});

describe('priority', () => {
  it('takes the value of the highest-ranked enabled device', () => {
    assert.deepEqual(summarize('priority', phone({ total: 900 }), watch({ total: 500 })), {
      value: 500,
      from: ['watch'],
      outcomes: ['watch used', 'phone outranked'],
    });
  });

  it('skips devices that are disabled or have no value, and keeps a measured 0', () => {
    const off = watch({ total: 500, isEnabled: false });
    const silent = candidate('band', { total: null });
    assert.deepEqual(summarize('priority', off, silent, phone({ total: 0 })), {
      value: 0,
      from: ['phone'],
      outcomes: ['band no_value', 'watch disabled', 'phone used'],
    });
  });

  it('returns null, never 0, if no device has a value', () => {
    for (const method of METHODS) {
      assert.equal(summarize(method).value, null);
      assert.equal(summarize(method, watch({ total: null }), phone({ total: 5, isEnabled: false })).value, null);
    }
  });
});

describe('an imported value', () => {
  const copy = (given: Given = {}) => candidate('copy', { total: 9_500, isImported: true, ...given });

  it('is ignored by every method if another provider has a value, whatever its rank', () => {
    for (const method of METHODS)
      assert.deepEqual(
        summarize(method, copy(), phone({ total: 9_000 })),
        { value: 9_000, from: ['phone'], outcomes: ['phone used', 'copy imported_copy'] },
        method,
      );
  });

  it('counts if no other provider has a value', () => {
    for (const method of METHODS) {
      const others = [phone({ total: null }), watch({ total: 5, isEnabled: false })];
      assert.deepEqual(
        [summarize(method, copy(), ...others).value, summarize(method, copy(), ...others).from],
        [9_500, ['copy']],
      );
    }
  });

  it('does not remove the samples of its source', () => {
    const merged = summarize('merge', copy({ quarters: { 1: 100 } }), phone({ quarters: { 2: 50 } }));
    assert.deepEqual([merged.value, merged.from], [150, ['copy', 'phone']]);
  });
});

describe('merge', () => {
  it('takes each quarter hour from the highest-ranked enabled device with samples in it, then sums', () => {
    const merged = summarize(
      'merge',
      phone({ quarters: { 1: 100, 2: 70, 3: 50 } }),
      watch({ quarters: { 1: 80, 2: 0 } }),
    );
    assert.deepEqual(merged, { value: 130, from: ['watch', 'phone'], outcomes: ['watch used', 'phone partly_used'] });
  });

  it('ignores a daily total if two devices cover the day', () => {
    const merged = summarize('merge', watch({ quarters: { 1: 80 }, total: 9_000 }), phone({ quarters: { 2: 50 } }));
    assert.equal(merged.value, 130);
  });

  it('uses the daily total of a device that covers the day alone', () => {
    const merged = summarize(
      'merge',
      watch({ quarters: { 1: 80, 2: 20 }, total: 104 }),
      phone({ quarters: { 2: 50 } }),
    );
    assert.deepEqual(merged, { value: 104, from: ['watch'], outcomes: ['watch used', 'phone outranked'] });
  });

  it('uses a device with only a daily total if it outranks every device with samples', () => {
    const merged = summarize('merge', watch({ total: 7_000 }), phone({ quarters: { 1: 100 } }));
    assert.deepEqual(merged, { value: 7_000, from: ['watch'], outcomes: ['watch used', 'phone outranked'] });
  });

  it('ignores a device with only a daily total if a device with samples outranks it', () => {
    const merged = summarize('merge', phone({ total: 7_000 }), watch({ quarters: { 1: 100 } }));
    assert.deepEqual(merged, { value: 100, from: ['watch'], outcomes: ['watch used', 'phone outranked'] });
  });

  it('uses a device with only a daily total if no device has samples', () => {
    const off = watch({ quarters: { 1: 100 }, isEnabled: false });
    assert.deepEqual(summarize('merge', off, phone({ total: 7_000 })), {
      value: 7_000,
      from: ['phone'],
      outcomes: ['watch disabled', 'phone used'],
    });
  });
});

describe('max, avg, sum', () => {
  const ring = candidate('ring', { total: 400, device: { deviceClass: 'ring' } });

  it('max returns the largest value of an enabled provider and names its device', () => {
    assert.deepEqual(summarize('max', watch({ total: 500 }), phone({ total: 900 }), ring), {
      value: 900,
      from: ['phone'],
      outcomes: ['watch smaller', 'phone used', 'ring smaller'],
    });
  });

  it('max names the highest-ranked device of equal values', () => {
    assert.deepEqual(summarize('max', phone({ total: 5 }), watch({ total: 5 })).from, ['watch']);
  });

  it('avg returns the mean and sum the sum of the enabled providers', () => {
    const all = [ring, phone({ total: 900 }), watch({ total: 500 }), candidate('off', { total: 1, isEnabled: false })];
    assert.deepEqual(summarize('avg', ...all), {
      value: 600,
      from: ['watch', 'phone', 'ring'],
      outcomes: ['off disabled', 'watch used', 'phone used', 'ring used'],
    });
    assert.equal(summarize('sum', ...all).value, 1_800);
  });

  it('use one value per provider: its highest-ranked device with a value', () => {
    const mine = (id: string, given: Given) =>
      candidate(id, { ...given, device: { provider: 'apple', ...given.device } });
    const applePhone = mine('apple-phone', { total: 800, device: { deviceClass: 'phone' } });
    const appleWatch = mine('apple-watch', { total: 300 });
    const oldWatch = mine('apple-old-watch', { total: null, device: { connectedAt: 9 as EpochMs } });
    assert.deepEqual(summarize('max', applePhone, appleWatch, oldWatch, ring), {
      value: 400,
      from: ['ring'],
      outcomes: ['apple-old-watch no_value', 'apple-watch smaller', 'apple-phone outranked', 'ring used'],
    });
    assert.equal(summarize('sum', applePhone, appleWatch, oldWatch, ring).value, 700);
    assert.equal(summarize('avg', applePhone, appleWatch, oldWatch, ring).value, 350);
  });
});

describe('merge of a day whose long samples were counted on another day', () => {
  const countedElsewhere = (quarters: number) => {
    const part = { start: 0, end: quarters * QUARTER_HOUR_MS, value: 300 };
    const divided = { start: -part.end, end: part.end, value: 1_000, counted: 0 };
    return { indexes: [], sums: [], long: [{ index: 0, ...part, lengthMs: 40 * QUARTER_HOUR_MS, divided }] };
  };

  it('uses the total that the first device states, whatever time the samples of others cover', () => {
    for (const quarters of [8, 12]) {
      const first = { ...watch({ total: 500 }), quarterHours: countedElsewhere(8) };
      const second = { ...phone({}), quarterHours: countedElsewhere(quarters) };
      const { value, contributors } = consolidate('merge', RANKING, [first, second]);
      assert.deepEqual([value, contributors], [500, [first.device]]);
    }
  });
});

const anyCandidate: fc.Arbitrary<Candidate> = fc
  .record({
    id: fc.uuid(),
    provider: fc.constantFrom('apple', 'oura', 'garmin'),
    deviceClass: fc.constantFrom(...DEVICE_CLASSES),
    transport: fc.constantFrom('sdk' as const, 'cloud' as const),
    connectedAt: fc.nat(2),
    isEnabled: fc.boolean(),
    total: fc.option(fc.double({ min: 0, max: 1e5, noNaN: true })),
    quarters: fc.option(fc.dictionary(fc.nat(12).map(String), fc.double({ min: 0, max: 500, noNaN: true }))),
  })
  .map(({ id, isEnabled, total, quarters, ...device }) =>
    candidate(id, {
      device: device as Partial<RankedDevice>,
      isEnabled,
      ...(quarters === null ? { total } : { quarters, ...(total === null ? {} : { total }) }),
    }),
  );
const anySet = fc.uniqueArray(anyCandidate, { selector: ({ device }) => device.id, maxLength: 5 });

describe('consolidate', () => {
  it('gives the same result for any order of the candidates', () => {
    const anyOrder = anySet.chain((set) =>
      fc.tuple(fc.constant(set), fc.shuffledSubarray(set, { minLength: set.length, maxLength: set.length })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), anyOrder, (method, [set, shuffled]) => {
        assert.deepEqual(consolidate(method, RANKING, shuffled), consolidate(method, RANKING, set));
      }),
      { numRuns: 10_000 },
    );
  });

  it('gives every candidate an outcome, contributors first, and a value exactly if one contributes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), anySet, (method, set) => {
        const { value, contributors, outcomes } = consolidate(method, RANKING, set);
        assert.equal(outcomes.length, set.length);
        assert.equal(value === null, contributors.length === 0);
        for (const { outcome, contributed } of outcomes) {
          assert.ok(outcome in OUTCOME_REASONS);
          assert.equal(contributed !== null, outcome === 'used' || outcome === 'partly_used');
        }
        const parts = outcomes.reduce((sum, { contributed }) => sum + (contributed ?? 0), 0);
        if (value !== null)
          assert.ok(Math.abs((method === 'avg' ? value * contributors.length : value) - parts) < 1e-6);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never uses a disabled candidate', () => {
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), anySet, (method, set) => {
        const enabled = set.filter(({ isEnabled }) => isEnabled);
        assert.equal(consolidate(method, RANKING, set).value, consolidate(method, RANKING, enabled).value);
      }),
      { numRuns: 3_000 },
    );
  });
});
