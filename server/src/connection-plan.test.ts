import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from './config.ts';
import { planConnections } from './connection-plan.ts';

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
    const config = loadConfig({ TRIBUTARY_CITUS_NODES: 'worker-1:5432,worker-2:5432' });
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
