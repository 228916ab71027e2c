// Lets the simulated providers tell what is new: a night in the morning, a workout after it.
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';

const PAUSE_MS = 120_000;

export function startSimulatorClock({ simulator, log }: Services): BackgroundLoop {
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
