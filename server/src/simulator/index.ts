// The simulator of cloud providers: its public interface.
export type { SendPush } from './push-queue.ts';
export { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
