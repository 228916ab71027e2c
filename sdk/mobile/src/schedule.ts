// Sends without a call of `flush`, by number of items and by age.

/** Sends when the queue has this much or its oldest item is this old. */
export type Automatic = { readonly items: number; readonly ageMs: number };

/** Between automatic flushes while the service cannot be reached. */
const MAX_PAUSE_MS = 15 * 60_000;
const DEFAULT_AUTOMATIC: Automatic = { items: 1_000, ageMs: 30_000 };

export function createSchedule(automatic: Automatic | null | undefined, send: () => void) {
  const rule = automatic === undefined ? DEFAULT_AUTOMATIC : automatic;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const cancel = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const later = (ms = rule?.ageMs ?? 0) => {
    if (rule === null || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      send();
    }, ms);
  };
  return {
    cancel,
    later: (failures: number) => later(Math.min(MAX_PAUSE_MS, (rule?.ageMs ?? 0) * 2 ** Math.min(failures, 20))),
    added(pending: number) {
      if (rule === null || pending === 0) return;
      if (pending >= rule.items) {
        cancel();
        later(0);
      } else later();
    },
  };
}
