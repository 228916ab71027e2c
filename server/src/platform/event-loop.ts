// Long computations yield regularly, so that the event loop serves other requests. Only one computation continues per round
// of the event loop, so a request waits for one time slice at most, however many computations run.

/** A request passes the event loop a few times, so several slices must stay below a noticeable delay. */
const SLICE_MS = 5;

/** In the order in which they yielded. */
const stopped: (() => void)[] = [];

/** Shared, because most calls of a yielder return it. */
const AT_ONCE = Promise.resolve();

/** Await it between steps of work; yields only when the time slice is over. */
export function createYielder(): () => Promise<void> {
  let beganMs = performance.now();
  const yieldNow = async () => {
    await nextRound();
    beganMs = performance.now();
  };
  return () => (performance.now() - beganMs < SLICE_MS ? AT_ONCE : yieldNow());
}

function nextRound(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stopped.push(resolve);
  if (stopped.length === 1) setImmediate(continueNext);
  return promise;
}

function continueNext(): void {
  stopped.shift()?.();
  if (stopped.length > 0) setImmediate(continueNext);
}
