export { type ConnectOptions, connect } from './connect.ts';
export { type ButtonOptions, connectButton } from './connect-button.ts';
export { type ConnectOutcome, type FailureReason, readOutcome } from './outcome.ts';
