import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlannedProcess } from '../connection-plan.ts';
import { findSmallestLimit } from '../platform/db/read-connection-limits.ts';
import { compareConnections } from './check-connections.ts';

const SERVER = {
  max: 100,
  reserved: 3,
  ofRole: -1,
  ofDatabase: -1,
  otherSessions: 5,
  otherSessionsOfDatabase: 2,
  role: 'tributary_service',
  database: 'tributary',
};
const API: PlannedProcess = { role: 'api', connections: 18 };
const WORKER: PlannedProcess = { role: 'worker', connections: 20 };
const ALL: PlannedProcess = { role: 'all', connections: 34 };

describe('compareConnections', () => {
  it('passes if all processes, the successor of one and other sessions fit', () => {
    assert.deepEqual(compareConnections(findSmallestLimit(SERVER), [API, API, WORKER]), {
      check: 'connections',
      ok: true,
      found:
        '3 running processes open up to 56, 18 more during a rolling restart, other sessions use 5; the server allows 97',
    });
  });

  it('warns if only the successor of a rolling restart does not fit', () => {
    const group = [API, API, API, API, WORKER]; // 92 of 97, and 110 during the restart
    const { isWarning, fix = '' } = compareConnections(findSmallestLimit({ ...SERVER, otherSessions: 0 }), group);
    assert.equal(isWarning, true);
    assert.match(fix, /max_connections to at least 113 /);
  });

  it('warns with the next step for the limit that is too small', () => {
    const fixOf = (limits: Partial<typeof SERVER>) =>
      compareConnections(findSmallestLimit({ ...SERVER, ...limits }), [ALL, ALL, ALL]).fix;
    assert.match(fixOf({}) ?? '', /or raise max_connections to at least 110 \(needs a restart/);
    assert.match(fixOf({ max: 500, ofRole: 50 }) ?? '', /or run: alter role tributary_service connection limit 102\.$/);
    assert.match(fixOf({ max: 500, ofDatabase: 50 }) ?? '', /or run: alter database tributary connection limit 104\.$/);
    assert.equal(fixOf({ max: 500 }), undefined);
  });

  it('advises a restart if the embedded server is too small, because each start sizes it', () => {
    const found = compareConnections(findSmallestLimit(SERVER), [ALL, ALL, ALL], { isEmbedded: true });
    assert.match(found.fix ?? '', /^Restart the service \(not with SIGHUP\)/);
  });

  it('judges the settings if no process runs', () => {
    assert.match(
      compareConnections(findSmallestLimit(SERVER), [ALL], { isPlanned: true }).found,
      /^a process with these settings opens up to 34,/,
    );
  });
});
