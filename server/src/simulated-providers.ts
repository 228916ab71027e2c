// The simulator as this process runs it: made when it is first asked, as its address and keys become known only while starting.
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './platform/clock.ts';
import type { Outbound } from './platform/outbound/index.ts';
import type { Services } from './platform/services.ts';
import { CLOUD_PROVIDERS } from './providers/registry.ts';
import { createSimulator, type Simulator } from './providers/simulator/index.ts';

export type SimulationOptions = {
  readonly key: () => Buffer;
  readonly clock: Clock;
  /** Reaches this process alone. */
  readonly outbound: Outbound;
  readonly pagesUrl: () => string;
  redirectUriOf(provider: (typeof CLOUD_PROVIDERS)[number]): string;
  noticeUrlOf(provider: string): string | null;
};

export function createSimulatedProviders(options: SimulationOptions): Services['simulator'] {
  let made: Simulator | null = null;
  const simulator = () => {
    made ??= createSimulator({
      key: options.key(),
      baseUrl: options.pagesUrl(),
      redirectUris: CLOUD_PROVIDERS.map(options.redirectUriOf),
      isControllable: false,
      noticeUrlOf: options.noticeUrlOf,
      now: () => options.clock.now(),
      wait: (ms) => delay(ms),
      send: async ({ method, url, headers, body }) => {
        const answer = await options.outbound.request(method, url, { headers, ...(method === 'POST' && { body }) });
        return answer.ok ? { status: answer.status, body: answer.body.toString() } : null;
      },
    });
    return made;
  };
  return {
    clientOf: (provider) => simulator().clientOf(provider),
    answer: (request) => simulator().answer(request),
    tick: async () => made?.tick() ?? 0, // nobody has been there yet
  };
}
