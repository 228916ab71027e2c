// Long computations stop now and then, so that the event loop serves other requests in between. Of all computations that have
// stopped, one goes on per round of the loop: however many there are, a request waits for one slice of one of them.

/** A request passes the event loop a few times: it needs several slices to add up to what a person notices. */
const SLICE_MS = 5;

/** In the order in which they stopped. */
const stopped: (() => void)[] = [];

/** To be awaited between pieces of work; stops only when the slice is over. */
export function createYielder(): () => Promise<void> {
  let beganMs = performance.now();
  return async () => {
    if (performance.now() - beganMs < SLICE_MS) return;
    await nextRound();
    beganMs = performance.now();
  };
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
