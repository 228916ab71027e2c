// Measures JSON.stringify of a response that is already in memory.
import { answerParent } from '../support/bench-child.ts';
import { type Round, type RoundLimits, runRound } from '../support/run-round.ts';

let answer: { readonly data: readonly unknown[] } = { data: [] };

answerParent({
  /** The number of items in the response. */
  async start({ url, key }: { url: string; key: string }): Promise<number> {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    answer = (await response.json()) as typeof answer;
    return answer.data.length;
  },
  run(limits: RoundLimits): Promise<Round> {
    return runRound({ ...limits, callers: 1 }, async () => {
      if (JSON.stringify(answer).length < answer.data.length) throw new Error('nothing was written');
    });
  },
});
