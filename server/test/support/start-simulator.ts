// The simulated providers on a free port of this machine, with a clock that a test can set.
import { type ServedSimulator, serveSimulator } from '../../src/cli/simulator-server.ts';
import type { Fault } from '../../src/domain/sandbox/simulated-faults.ts';
import { createFrozenClock, type TestClock } from './test-clock.ts';

export type StartedSimulator = ServedSimulator & {
  readonly clock: TestClock;
  /** The requested delays in milliseconds; no delay is really waited for. */
  readonly waits: number[];
  /** The fault remains until the returned function is called. */
  fault(fault: Fault): () => void;
  /** Allows access on the consent page and returns the parameters of the redirect. */
  consent(authorizeUrl: string, form?: Readonly<Record<string, string>>): Promise<URLSearchParams>;
};

type SimulatorSettings = {
  readonly clock?: TestClock;
  readonly key?: Buffer;
  readonly redirectUris?: readonly string[];
  readonly webhookUrlOf?: (provider: string) => string | null;
};

export async function startSimulator(settings: SimulatorSettings = {}): Promise<StartedSimulator> {
  const clock = settings.clock ?? createFrozenClock(new Date('2026-03-10T11:00:00Z'));
  const waits: number[] = [];
  const served = await serveSimulator({
    port: 0,
    key: settings.key ?? Buffer.alloc(32, 7),
    redirectUris: settings.redirectUris ?? 'loopback',
    webhookUrlOf: settings.webhookUrlOf ?? (() => null),
    now: clock.now,
    wait: async (ms) => {
      waits.push(ms);
    },
  });
  return {
    ...served,
    clock,
    waits,
    fault(fault) {
      const { id } = served.simulator.addFault(fault);
      return () => void served.simulator.removeFault(id);
    },
    async consent(authorizeUrl, form = { decision: 'allow' }) {
      const response = await fetch(authorizeUrl, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
      });
      const location = response.headers.get('location');
      if (location === null) throw new Error(`no redirect back: ${response.status}`);
      return new URL(location).searchParams;
    },
  };
}
