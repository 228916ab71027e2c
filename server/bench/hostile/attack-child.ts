// The attacker, in a process of its own so that its work does not delay the reads that are measured.
import { answerParent } from '../support/bench-child.ts';
import { type AttackOptions, type AttackReport, type AttackTarget, READ_ATTACKS } from './fair-shares.ts';

answerParent({
  run({ name, target, ...options }: AttackOptions & { name: string; target: AttackTarget }): Promise<AttackReport> {
    const attack = READ_ATTACKS[name];
    if (attack === undefined) throw new Error(`there is no attack "${name}"`);
    return attack(target, options);
  },
});
