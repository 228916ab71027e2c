import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHARGE_RULE, DRAIN_RULES } from '../../../domain/scores/energy-reserve-score.ts';
import { NUTRITION_RULE } from '../../../domain/scores/nutrition-score.ts';
import { RECOVERY_RULE } from '../../../domain/scores/recovery-score.ts';
import { SLEEP_RULE } from '../../../domain/scores/sleep-score.ts';
import { STRESS_RULE } from '../../../domain/scores/stress-score.ts';
import { findFactorNote } from './factor-notes.ts';

describe('factor notes', () => {
  const rules = [RECOVERY_RULE, SLEEP_RULE, STRESS_RULE, NUTRITION_RULE, CHARGE_RULE];
  const drains = { type: CHARGE_RULE.type, factors: DRAIN_RULES };

  it('describe every factor without referring to tables of the documentation', () => {
    for (const { type, factors } of [...rules, drains])
      for (const name of Object.keys(factors)) assert.match(findFactorNote(type, name).about, /^(?!.*below).+$/, name);
  });

  it('have a unit for every factor except ratios', () => {
    const without = [...rules, drains].flatMap(({ type, factors }) =>
      Object.keys(factors).filter((name) => findFactorNote(type, name).unit === null),
    );
    assert.deepEqual(without, ['energy_balance']);
  });
});
