// Makes the simulated providers send webhooks about new data, such as a night in the morning or a finished workout.
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';

const PAUSE_MS = 2 * MINUTE_MS;

export function startSimulatorClock({ simulator, log }: Pick<Services, 'log' | 'simulator'>): BackgroundLoop {
  return startLoop({
    name: 'simulator',
    pauseMs: PAUSE_MS,
    log,
    async round() {
      await simulator.tick();
      return false;
    },
  });
}
