// Turns taken by hand, as in test-cloud.ts, with accounts of simulated people. Their lives have a clock of their own: while it stands
// still, an account is what it was, however often it is asked.
import type { Services } from '../../src/platform/services.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import type { Ending } from './ending.ts';
import { connectSimulated } from './simulated-connection.ts';
import { type StartedSimulator, startSimulator } from './start-simulator.ts';
import { createFrozenClock } from './test-clock.ts';
import { atStub, type Connected, openTestCloud, type TestCloud } from './test-cloud.ts';

export type SimulatedClouds = TestCloud & {
  readonly lives: StartedSimulator['clock'];
  connectAccount(provider: CloudProvider, account: string): Promise<Connected>;
  /** All that is due, with what is pushed meanwhile, until nothing comes any more. */
  settle(): Promise<void>;
};

/** They are asked on this day, in the zone of simulated people, at one in the afternoon. */
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
    async settle() {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const turns = await cloud.runDue();
        const pushed = await started.simulator.tick();
        const read = await cloud.readWebhookItems();
        if (turns + pushed + read === 0) return;
      }
      throw new Error('something always comes');
    },
  };
}
