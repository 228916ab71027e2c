// Faults of simulated providers that a member sets. All accounts of the deployment share the simulator, so a member may only do
// so where there is no other account, or as an operator.
import type { ActiveFault, Fault } from '../../../domain/sandbox/simulated-faults.ts';
import { AppError } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { hasOtherAccounts } from '../../tenancy/accounts/index.ts';

type FaultContext = {
  readonly services: Pick<Services, 'db' | 'simulator'>;
  readonly caller: Pick<MemberCaller, 'isOperator' | 'tenant'>;
};
export type FaultList = { readonly faults: readonly ActiveFault[]; readonly canChange: boolean };

export async function listFaults(context: FaultContext): Promise<FaultList> {
  const canChange = await mayChangeFaults(context);
  return { faults: canChange ? await context.services.simulator.listFaults() : [], canChange };
}

export async function addFault(context: FaultContext, fault: Fault): Promise<ActiveFault> {
  await requireOwnSimulator(context);
  return context.services.simulator.addFault(fault);
}

/** `id` null: all faults. */
export async function removeFaults(context: FaultContext, id: number | null): Promise<void> {
  await requireOwnSimulator(context);
  const { simulator } = context.services;
  const ids = id === null ? (await simulator.listFaults()).map((fault) => fault.id) : [id];
  for (const one of ids)
    if (!(await simulator.removeFault(one)) && id !== null)
      throw new AppError('not_found', { message: 'Fault not found.' });
}

async function requireOwnSimulator(context: FaultContext): Promise<void> {
  if (!(await mayChangeFaults(context))) throw new AppError('shared_simulator');
}

async function mayChangeFaults({ services, caller }: FaultContext): Promise<boolean> {
  return caller.isOperator || !(await hasOtherAccounts(services.db, caller.tenant.accountId));
}
