import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';
import { planConnections, sizeEmbeddedServer, sumConnections } from './connection-plan.ts';

describe('planConnections', () => {
  it('opens 18 in an API process, 20 in a worker and 34 in one that does both, unless set otherwise', () => {
    const config = loadConfig({});
    assert.deepEqual(planConnections(config, 'api'), { reads: 8, writes: 10, nodes: 0, jobs: 0, loops: 0, total: 18 });
    assert.deepEqual(planConnections(config, 'worker'), {
      reads: 2,
      writes: 2,
      nodes: 0,
      jobs: 8,
      loops: 8,
      total: 20,
    });
    assert.deepEqual(planConnections(config, 'all'), { reads: 8, writes: 10, nodes: 0, jobs: 8, loops: 8, total: 34 });
  });

  it('counts a connection from a Citus node to the coordinator for each that the API opens to the node', () => {
    const config = loadConfig({
      DATABASE_URL: 'postgresql://coordinator/tributary',
      TRIBUTARY_CITUS_NODES: 'worker-1:5432,worker-2:5432',
    });
    assert.deepEqual(planConnections(config, 'api'), { reads: 8, writes: 10, nodes: 20, jobs: 0, loops: 0, total: 38 });
    assert.equal(planConnections(config, 'worker').nodes, 0);
  });

  it('follows the settings', () => {
    const config = loadConfig({
      TRIBUTARY_READ_CONNECTIONS: '3',
      TRIBUTARY_WRITE_CONNECTIONS: '5',
      TRIBUTARY_WORKER_CONNECTIONS: '9',
    });
    assert.deepEqual(planConnections(config, 'all'), { reads: 3, writes: 5, nodes: 0, jobs: 4, loops: 5, total: 17 });
  });
});

describe('sumConnections', () => {
  it('counts one more API process, which a rolling restart starts before the former one ends', () => {
    const api = { role: 'api', connections: 18 } as const;
    const worker = { role: 'worker', connections: 20 } as const;
    assert.deepEqual(sumConnections([api, api, worker]), { running: 56, successor: 18 });
    assert.deepEqual(sumConnections([worker]), { running: 20, successor: 0 });
    assert.deepEqual(sumConnections([]), { running: 0, successor: 0 });
  });
});

describe('sizeEmbeddedServer', () => {
  const sizeOf = (apiProcesses: number, settings = {}) =>
    sizeEmbeddedServer(loadConfig(settings), { apiProcesses, hasWorker: true });

  it('has room for all processes of a group, the successor of one, and commands', () => {
    for (const apiProcesses of [2, 4, 8, 64]) {
      const needed = (apiProcesses + 1) * 18 + 20;
      assert.ok(sizeOf(apiProcesses) >= needed + 20, `${apiProcesses} processes need ${needed}`);
    }
  });

  it('follows the settings, and is never below 100', () => {
    assert.equal(sizeEmbeddedServer(loadConfig({}), null), 100);
    const many = loadConfig({ TRIBUTARY_READ_CONNECTIONS: '120' });
    assert.ok(sizeEmbeddedServer(many, null) >= 120 + 10 + 16 + 20);
    assert.equal(sizeOf(8, { TRIBUTARY_READ_CONNECTIONS: '18' }) - sizeOf(8), 9 * 10);
  });
});
