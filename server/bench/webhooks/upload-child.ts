// Phones that each upload a minute of heart rate in a loop until they are stopped.

import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { answerParent } from '../support/bench-child.ts';

const FIRST_MS = Date.UTC(2026, 2, 1);
const SAMPLES = 60;
const PAUSE_MS = 100;

answerParent({
  async run(load: { url: string; tokens: string[]; seconds: number }): Promise<number> {
    const endMs = performance.now() + load.seconds * 1000;
    let uploads = 0;
    const upload = async (token: string) => {
      for (let minute = 0; performance.now() < endMs; minute += 1) {
        const answer = await fetch(`${load.url}/v1/sdk/uploads`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(makeUpload(minute)),
        });
        if (answer.status !== 200) throw new Error(`an upload got status ${answer.status}: ${await answer.text()}`);
        await answer.arrayBuffer();
        uploads += 1;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    await Promise.all(load.tokens.map(upload));
    return uploads;
  },
});

function makeUpload(minute: number): object {
  const samples = Array.from({ length: SAMPLES }, (_, second) => ({
    metric: 'heart_rate',
    start: new Date(FIRST_MS + minute * MINUTE_MS + second * 1_000).toISOString(),
    value: 60 + ((minute + second) % 40),
  }));
  return { upload_id: randomUUID(), source: { provider: 'apple_health', id: 'watch-1' }, samples };
}
