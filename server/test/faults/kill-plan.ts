// How often a test kills: in CI until a kill met the work in progress, with `npm run prove -- --long` many times.
import assert from 'node:assert/strict';

/** Set by `npm run prove -- --long`. */
const isProof = process.env.FAULT_LONG !== undefined;
/** A kill at a random instant usually meets the work at the first or second try. */
const MAX_TRIES = 20;

type KillPlan = {
  readonly description: string;
  goesOn(): boolean;
  /** `hasHit`: the killed process had work in progress. */
  count(hasHit: boolean): void;
  hits(): number;
  /** Without a hit the test proves nothing. */
  assertHit(): void;
};

/** `inProof`: kills of the long form; `inCi`: kills of the short form that must hit. FAULT_ROUNDS sets both. */
export function planKills({ inProof, inCi = 1 }: { inProof: number; inCi?: number }): KillPlan {
  const wanted = Number(process.env.FAULT_ROUNDS ?? (isProof ? inProof : inCi));
  let kills = 0;
  let hits = 0;
  return {
    description: isProof ? `${wanted} kills` : `${wanted} kills that hit`,
    goesOn: () => (isProof ? kills < wanted : hits < wanted && kills < MAX_TRIES),
    count(hasHit) {
      kills += 1;
      if (hasHit) hits += 1;
    },
    hits: () => hits,
    assertHit: () => assert.ok(hits > 0, `none of ${kills} kills met the work in progress`),
  };
}
