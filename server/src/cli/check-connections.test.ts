import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

describe('compareConnections', () => {
  it('passes if all processes and other sessions fit', () => {
    assert.deepEqual(compareConnections(findSmallestLimit(SERVER), [18, 18, 20]), {
      check: 'connections',
      ok: true,
      found: '3 running processes open up to 56, other sessions use 5; the server allows 97',
    });
  });

  it('warns with the next step for the limit that is too small', () => {
    const fixOf = (limits: Partial<typeof SERVER>) =>
      compareConnections(findSmallestLimit({ ...SERVER, ...limits }), [34, 34, 34]).fix;
    assert.match(fixOf({}) ?? '', /or raise max_connections to at least 110 \(needs a restart/);
    assert.match(fixOf({ max: 500, ofRole: 50 }) ?? '', /or run: alter role tributary_service connection limit 102\.$/);
    assert.match(fixOf({ max: 500, ofDatabase: 50 }) ?? '', /or run: alter database tributary connection limit 104\.$/);
    assert.equal(fixOf({ max: 500 }), undefined);
  });

  it('judges the settings if no process runs', () => {
    assert.match(
      compareConnections(findSmallestLimit(SERVER), [34], 0).found,
      /^a process with these settings opens up to 34,/,
    );
  });
});
