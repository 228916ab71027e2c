// Ends a wait when a signal is aborted. AbortSignal.any and Promise.withResolvers are missing in Hermes.

export const ABORTED = Symbol('aborted');

/** The value, or `ABORTED` as soon as the signal is aborted, whatever becomes of the promise. */
export async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | typeof ABORTED> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    onAbort = () => resolve(ABORTED);
  });
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
