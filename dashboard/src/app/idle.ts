// Notes when the person last did something, in any tab, and whether the page is locked.

/** Health data must not stay on an unattended screen. */
const IDLE_LIMIT_MS = 15 * 60_000;
const CHECK_MS = 10_000;
const ACTIVE_AT = 'active-at';
const LOCKED = 'locked';
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

const listeners = new Set<() => void>();
let activeAtMs = Date.now();

/** Until the returned function is called. */
export function watchActivity(): () => void {
  const note = () => noteActivity();
  for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true, capture: true });
  document.addEventListener('visibilitychange', lockIfIdle);
  const timer = setInterval(lockIfIdle, CHECK_MS);
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, note, { capture: true });
    document.removeEventListener('visibilitychange', lockIfIdle);
    clearInterval(timer);
  };
}

export function isLocked(): boolean {
  return read(sessionStorage, LOCKED) === 'yes';
}

export function onLockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function unlock(): void {
  noteActivity(true);
  setLocked(false);
}

function noteActivity(isUnlocking = false): void {
  if (isLocked() && !isUnlocking) return;
  activeAtMs = Date.now();
  write(localStorage, ACTIVE_AT, String(activeAtMs));
}

function lockIfIdle(): void {
  const elsewhereMs = Number(read(localStorage, ACTIVE_AT) ?? 0);
  if (Date.now() - Math.max(activeAtMs, elsewhereMs) >= IDLE_LIMIT_MS) setLocked(true);
}

function setLocked(value: boolean): void {
  if (value === isLocked()) return;
  write(sessionStorage, LOCKED, value ? 'yes' : 'no');
  for (const listener of listeners) listener();
}

function read(storage: Storage, name: string): string | null {
  try {
    return storage.getItem(name);
  } catch {
    return null;
  }
}

function write(storage: Storage, name: string, value: string): void {
  try {
    storage.setItem(name, value);
  } catch {
    // Storage is blocked: each tab counts for itself.
  }
}
