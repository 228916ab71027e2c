import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeEntry } from './describe-entry.ts';
import type { LogEntry } from './queries.ts';

const entry = (part: Partial<LogEntry>): LogEntry =>
  ({ kind: 'events', id: 'e1', at: '2026-11-16T12:00:00Z', device_id: null, ...part }) as LogEntry;

describe('an entry of the log', () => {
  it('names an event with its metrics and days', () => {
    const event = {
      type: 'data.updated',
      metrics: ['steps'],
      from_date: '2026-11-14',
      to_date: '2026-11-14',
      deleted: true,
    };
    assert.deepEqual(describeEntry(entry({ event })), {
      title: 'New data',
      note: 'steps · 14 Nov · includes deletions',
      tone: 'plain',
    });
  });

  it('warns of rejected items of an upload', () => {
    const upload = { accepted: 1, duplicates: 0, deleted: 0, rejected_count: 2, rejected: [] };
    assert.deepEqual(describeEntry(entry({ kind: 'uploads', upload })), {
      title: 'Upload',
      note: '1 item accepted · 2 rejected',
      tone: 'warn',
    });
  });

  it('says why a sync failed', () => {
    const sync = {
      id: 's1',
      at: '',
      kind: 'poll' as const,
      outcome: 'rate_limited' as const,
      cause: null,
      http_status: 429,
      retry_at: null,
      records: 0,
      refused: 0,
      metrics: [],
      days: { from: null, to: null },
      ms: 3,
      runs: 4,
    };
    assert.deepEqual(describeEntry(entry({ kind: 'syncs', sync })), {
      title: 'Poll: the provider asked us to wait',
      note: '4 runs · status 429',
      tone: 'warn',
    });
  });

  it('marks a failed delivery', () => {
    const delivery = {
      webhook_id: 'w',
      event_id: 'e',
      event_type: 'data.updated',
      status: 'failed',
      attempts: 10,
      http_status: 500,
      error: null,
    };
    assert.deepEqual(describeEntry(entry({ kind: 'deliveries', delivery })), {
      title: 'Delivery failed: new data',
      note: '10 attempts · status 500',
      tone: 'bad',
    });
  });

  it('names who changed and who viewed', () => {
    const change = { action: 'user.viewed', actor: 'member', actor_name: 'Mara', via: 'dashboard', request_id: null };
    assert.equal(
      describeEntry(entry({ kind: 'looks', change: { ...change, details: {} } })).note,
      'by Mara, in the dashboard',
    );
    const other = { ...change, action: 'user.metadata_changed', actor: 'api_key', actor_name: null, via: 'api' };
    assert.deepEqual(describeEntry(entry({ kind: 'changes', change: { ...other, details: {} } })), {
      title: 'User metadata changed',
      note: 'by an API key, with the API',
      tone: 'plain',
    });
  });
});
