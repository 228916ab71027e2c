import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeService, findDisk } from './describe-service.ts';
import type { Process, ServiceState, Stage } from './queries.ts';
import { formatBytes, stageName } from './words.ts';

const process = (changes: Partial<Process> = {}): Process => ({
  id: '1',
  role: 'all',
  version: '1.0.0',
  host: 'a',
  pid: 1,
  started_at: '2026-03-01T12:00:00Z',
  seen_at: '2026-03-01T12:00:00Z',
  is_alive: true,
  disk: { total_bytes: 1_000, free_bytes: 500 },
  ...changes,
});
const stage = (changes: Partial<Stage> = {}): Stage => ({
  name: 'events',
  provider: null,
  waiting: 0,
  oldest_at: null,
  parked: 0,
  is_late: false,
  command: null,
  ...changes,
});
const state = (changes: Partial<ServiceState> = {}): ServiceState => ({
  at: '2026-03-01T12:00:00Z',
  readiness: {
    status: 'ready',
    checks: {
      database: { ok: true },
      migrations: { ok: true, applied: 1, expected: 1 },
      jobs: { ok: true, lag_seconds: 0, waiting: 0, given_up: 0 },
    },
  },
  processes: [process()],
  stages: [stage()],
  jobs_given_up: [],
  database: { bytes: 1, version: '18' },
  keys: { master: [], signing_key_created_at: null },
  ...changes,
});

describe('the sentence of the service', () => {
  it('is good if nothing is wrong', () => {
    assert.equal(describeService(state()).tone, 'good');
  });

  it('names everything that is wrong', () => {
    const { tone, text } = describeService(
      state({
        processes: [
          process({ role: 'api', disk: { total_bytes: 1_000, free_bytes: 50 } }),
          process({ is_alive: false }),
        ],
        stages: [stage({ name: 'sync', provider: 'oura', is_late: true })],
        jobs_given_up: [{ name: 'rebuild_user', count: 2, since: '2026-03-01T12:00:00Z' }],
      }),
    );
    assert.equal(tone, 'warn');
    assert.equal(
      text,
      'No process does background work, sync with Oura is late, 2 jobs failed permanently, 1 process stopped reporting and less than a tenth of the disk is free.',
    );
  });

  it('is bad without a database', () => {
    const { readiness } = state();
    assert.equal(describeService(state({ readiness: { ...readiness, status: 'unavailable' } })).tone, 'bad');
  });
});

describe('the service', () => {
  it('shows the fullest disk', () => {
    const processes = [process(), process({ disk: { total_bytes: 100, free_bytes: 10 } }), process({ disk: null })];
    assert.deepEqual(findDisk({ processes }), { free: 10, total: 100 });
    assert.equal(findDisk({ processes: [process({ disk: null })] }), null);
  });

  it('has names for stages and sizes', () => {
    assert.equal(stageName({ name: 'sync', provider: 'whoop' }), 'Sync with WHOOP');
    assert.deepEqual([500, 2_048, 1_572_864, 262_144_000, 1_610_612_736].map(formatBytes), [
      '500 B',
      '2 kB',
      '1.5 MB',
      '250 MB',
      '1.5 GB',
    ]);
  });
});
