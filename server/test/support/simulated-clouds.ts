// Sync runs started by hand, as in test-cloud.ts, with accounts of simulated users. The simulator has its own clock: while it
// does not advance, an account does not change, however often it is read.
import type { Services } from '../../src/platform/services.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import type { Ending } from './ending.ts';
import { connectSimulated } from './simulated-connection.ts';
import { type StartedSimulator, startSimulator } from './start-simulator.ts';
import { createFrozenClock } from './test-clock.ts';
import { atStub, type Connected, openTestCloud, type TestCloud } from './test-cloud.ts';

type SimulatedClouds = TestCloud & {
  readonly lives: StartedSimulator['clock'];
  connectAccount(provider: CloudProvider, account: string): Promise<Connected>;
  /** Runs everything that is due, including pushed data, until nothing is left: for one provider or for all. */
  settle(only?: CloudProvider): Promise<void>;
};

/** The account is read on this day at one in the afternoon, in the zone of simulated users. */
export const LIVED_UNTIL = new Date('2026-03-01T12:00:00Z');
const MOST_ROUNDS = 20;

export async function openSimulatedClouds(t: Ending, environment: Record<string, string>): Promise<SimulatedClouds> {
  let webhookUrl: string | null = null;
  const lives = createFrozenClock(LIVED_UNTIL);
  const started = await startSimulator({
    clock: lives,
    webhookUrlOf: (provider) => (provider === 'garmin' ? webhookUrl : null),
  });
  const reach = (services: Services): Services => ({
    ...atStub(services, started.url),
    simulator: { ...services.simulator, clientOf: started.simulator.clientOf },
  });
  const cloud = await openTestCloud(t, environment, reach);
  t.after(() => started.close());
  webhookUrl = await cloud.webhookUrl('garmin');
  return {
    ...cloud,
    lives,
    async connectAccount(provider, account) {
      const connection = await connectSimulated(started, provider, { decision: 'allow', account });
      const { providerUserId, accessToken, refreshToken } = connection.account;
      return cloud.connect(provider.id, { providerUserId, tokens: { accessToken, refreshToken } });
    },
    async settle(only) {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const runs = await cloud.runDue(only);
        const pushed = await started.simulator.tick();
        const read = await cloud.processWebhooks();
        if (runs + pushed + read === 0) return;
      }
      throw new Error('the sync runs did not end');
    },
  };
}
