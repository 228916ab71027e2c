// The simulator of cloud providers, as others may use it.
export { FAULT_KINDS, type Fault, type FaultKind, type StandingFault } from './fault-book.ts';
export type { Push, PushAnswer, SendPush } from './push-queue.ts';
export { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
