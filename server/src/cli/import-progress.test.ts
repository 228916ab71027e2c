import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProgress } from './import-progress.ts';

function watch(isTty: boolean, argv: readonly string[] = []) {
  let [text, nowMs] = ['', 0];
  const stderr = (piece: string) => {
    text += piece;
  };
  const progress = createProgress({ argv, isTty, stderr }, () => nowMs);
  return {
    progress,
    text: () => text,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('createProgress', () => {
  it('draws a bar with rate and time left on a terminal', () => {
    const { progress, text, wait } = watch(true);
    wait(10_000);
    progress.show({ records: 50_000, share: 0.25 });
    assert.equal(text(), '\r[######..................] 25 %, 50,000 records, 5,000/s, 30 s left\u001b[K');
  });

  it('prints nothing with --json', () => {
    for (const isTty of [true, false]) {
      const { progress, text, wait } = watch(isTty, ['import', 'a.csv', '--json']);
      wait(20_000);
      progress.show({ records: 1, share: 0.1 });
      progress.finish();
      assert.equal(text(), '');
    }
  });

  it('prints a line every ten seconds otherwise', () => {
    const { progress, text, wait } = watch(false);
    progress.show({ records: 1, share: 0.1 });
    wait(10_000);
    progress.show({ records: 20_000, share: 0.01 });
    progress.show({ records: 20_001, share: 0.01 });
    assert.equal(text(), '1 %, 20,000 records, 2,000/s, 17 min left\n');
  });
});
