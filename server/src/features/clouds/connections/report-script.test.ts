import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceId } from '../../../domain/tenancy.ts';
import { writeReportScript } from './report-script.ts';

const deviceId = 'd1' as DeviceId;
const back = 'https://app.example/?a=1&b=</script><script>alert(1)//';

function run(script: string, opener: object | null) {
  const posted: unknown[] = [];
  const left: string[] = [];
  let isClosed = false;
  const page = {
    opener: opener && { postMessage: (...given: unknown[]) => posted.push(given) },
    close: () => {
      isClosed = true;
    },
  };
  new Function('window', 'location', script)(page, { replace: (url: string) => left.push(url) });
  return { posted, left, isClosed };
}

describe('the script of a result in a popup', () => {
  const failed = { status: 'failed', deviceId, reason: 'declined' } as const;

  it('posts the outcome to the registered origin only, and closes the popup', () => {
    const script = writeReportScript({ ending: failed, origin: 'https://app.example', back });
    const message = {
      type: 'tributary.connect',
      status: 'failed',
      device_id: 'd1',
      failure_reason: 'declined',
      reason: 'declined',
    };
    assert.deepEqual(run(script, {}), { posted: [[message, 'https://app.example']], left: [], isClosed: true });
  });

  it('goes back to the app if there is no window to report to', () => {
    const script = writeReportScript({ ending: failed, origin: 'https://app.example', back });
    assert.deepEqual(run(script, null), { posted: [], left: [back], isClosed: false });
  });

  it('cannot end the script element', () => {
    assert.doesNotMatch(writeReportScript({ ending: failed, origin: 'https://app.example', back }), /<|>/);
  });
});
