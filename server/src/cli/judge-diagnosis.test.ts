import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DiagnosisReply, judgeApiKeys, judgeDiagnosis, type ListedKey } from './judge-diagnosis.ts';

const GIB = 1_073_741_824;
const provider = {
  id: 'oura',
  is_configured: true,
  own_clients: 0,
  devices: 10,
  failing: 1,
  parked_tasks: 0,
  unregistered_apps: 0,
};
const WELL: DiagnosisReply = {
  providers: [provider],
  mail: { is_configured: true, failing: 0, last_error: null, last_failed_at: null },
  webhooks: [],
  master_keys: 1,
  database: { bytes: 2 * GIB, bytes_per_day: null },
};

function judge(change: Partial<DiagnosisReply>, check: string, freeBytes: number | null = 100 * GIB) {
  const found = judgeDiagnosis({ ...WELL, ...change }, freeBytes).filter((finding) => finding.check === check);
  assert.ok(found.length > 0);
  return found;
}

const warned = (change: Partial<DiagnosisReply>, check: string, freeBytes?: number | null) =>
  judge(change, check, freeBytes).filter(({ isWarning }) => isWarning);

describe('judgeDiagnosis', () => {
  it('has no warning for a service that works', () => {
    assert.deepEqual(
      judgeDiagnosis(WELL, 100 * GIB).filter(({ isWarning, ok }) => isWarning || !ok),
      [],
    );
  });

  it('warns about providers without application, without webhooks, with failures or parked tasks', () => {
    for (const [change, text] of [
      [{ is_configured: false }, /no application/],
      [{ unregistered_apps: 1 }, /webhooks of 1 applications are not registered/],
      [{ failing: 2 }, /2 of 10 devices fail/],
      [{ parked_tasks: 3 }, /3 sync tasks/],
    ] as const) {
      const [finding] = warned({ providers: [{ ...provider, ...change }] }, 'providers');
      assert.match(finding?.found ?? '', text);
      assert.equal(finding?.fix, 'Run: npm run -s tributary -- providers check oura');
    }
  });

  it('warns about mails that fail, with the last error', () => {
    const mail = { is_configured: true, failing: 2, last_error: 'no STARTTLS', last_failed_at: '2026-03-01T12:00:00Z' };
    const [finding] = warned({ mail }, 'mail');
    assert.match(finding?.found ?? '', /2 mails failed, the last at 2026-03-01T12:00:00Z: no STARTTLS/);
    assert.match(finding?.fix ?? '', /TRIBUTARY_SMTP_URL/);
  });

  it('names failing and disabled webhooks, at most five', () => {
    const webhook = { id: 'w', account: 'acme', environment: 'live', host: 'x.example', disabled_reason: 'gone' };
    const webhooks = Array.from({ length: 7 }, () => ({ ...webhook, failing_since: null }));
    const [finding] = warned({ webhooks }, 'webhooks');
    assert.match(finding?.found ?? '', /^acme live x\.example \(w\) disabled \(gone\); .*; 2 more$/);
  });

  it('warns about a master key rotation that is not finished', () => {
    assert.match(warned({ master_keys: 2 }, 'master key')[0]?.fix ?? '', /--finish/);
  });

  it('fails if the next start would be refused because of the master key', () => {
    const [finding] = judge({ master_key_problem: 'no master key' }, 'master key');
    assert.deepEqual([finding?.ok, finding?.found], [false, 'no master key']);
  });

  it('computes the days until the disk is full, if the database is on it', () => {
    const database = { bytes: 50 * GIB, bytes_per_day: GIB };
    assert.match(judge({ database }, 'growth')[0]?.found ?? '', /lasts for 100 days/);
    assert.match(warned({ database }, 'growth', 10 * GIB)[0]?.found ?? '', /full in 10 days/);
    assert.deepEqual(warned({ database }, 'growth', null), []);
    assert.match(judge({ database: { ...database, bytes_per_day: -1 } }, 'growth')[0]?.found ?? '', /does not grow/);
  });
});

describe('judgeApiKeys', () => {
  const key: ListedKey = {
    id: 'k',
    account: 'acme',
    environment: 'live',
    name: 'default',
    status: 'active',
    expires_at: '2026-03-10T00:00:00Z',
    expires_soon: false,
    last_used_at: '2026-03-09T00:00:00Z',
  };

  it('warns about keys that expire soon, and that expired while in use', () => {
    assert.equal(judgeApiKeys([key]).isWarning, undefined);
    assert.match(judgeApiKeys([{ ...key, expires_soon: true }]).found, /expires on 2026-03-10/);
    assert.match(judgeApiKeys([{ ...key, status: 'expired' }]).found, /expired on 2026-03-10/);
    const unused = { ...key, status: 'expired', last_used_at: '2026-01-01T00:00:00Z' };
    assert.equal(judgeApiKeys([unused]).isWarning, undefined);
  });
});
