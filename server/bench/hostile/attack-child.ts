// The attacker, in a process of its own so that its work does not delay the reads that are measured.
import { answerParent } from '../support/bench-child.ts';
import type { AttackOptions, AttackReport, AttackTarget } from './attack.ts';
import { ATTACKS } from './attacks.ts';

answerParent({
  run({ name, target, ...options }: AttackOptions & { name: string; target: AttackTarget }): Promise<AttackReport> {
    const attack = ATTACKS[name];
    if (attack === undefined) throw new Error(`there is no attack "${name}"`);
    return attack(target, options);
  },
});
