// A simulator with one connected user, and the data that the connector reads.
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import type { CloudProvider, Resource } from '../../src/providers/contract.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import type { Ending } from './ending.ts';
import { todayAt } from './lived-days.ts';
import { connectSimulated, resourceOf, type SimulatedConnection, windowOfDays } from './simulated-connection.ts';
import { type StartedSimulator, startSimulator } from './start-simulator.ts';

type SimulatedPerson = {
  readonly simulator: StartedSimulator;
  readonly connection: SimulatedConnection;
  /** When the user connected. */
  readonly today: LocalDate;
  readonly yesterday: LocalDate;
  isOver(session: { readonly end: number }): boolean;
  resourceOf(name: string): Resource;
  /** Of the last 30 days, or of the given number. */
  read(name: string, days?: number): Promise<ProviderRecords[]>;
};

export async function connectPerson(t: Ending, provider: CloudProvider, account = 'ann'): Promise<SimulatedPerson> {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const connection = await connectSimulated(simulator, provider, { decision: 'allow', account });
  const today = todayAt(simulator.clock.now());
  return {
    simulator,
    connection,
    today,
    yesterday: addDays(today, -1),
    isOver: ({ end }) => end <= simulator.clock.now().getTime(),
    resourceOf: (name) => resourceOf(provider, name),
    read: (name, days = 30) => connection.read(resourceOf(provider, name), windowOfDays(simulator.clock.now(), days)),
  };
}
