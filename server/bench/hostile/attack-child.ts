// Runs the attacker in its own process, so that its work does not delay the measured reads.
import { answerParent } from '../support/bench-child.ts';
import type { AttackOptions, AttackReport, AttackTarget } from './attack.ts';
import { ATTACKS } from './attacks.ts';

answerParent({
  run({ name, target, ...options }: AttackOptions & { name: string; target: AttackTarget }): Promise<AttackReport> {
    const attack = ATTACKS[name];
    if (attack === undefined) throw new Error(`unknown attack "${name}"`);
    return attack(target, options);
  },
});
