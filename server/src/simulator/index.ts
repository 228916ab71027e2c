// The simulator of cloud providers, as others may use it.
export type { Push, PushAnswer, SendPush } from './push-queue.ts';
export { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
