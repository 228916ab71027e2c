import { useEffect, useState } from 'react';

/** The time, again and again, for what says "5 min ago". */
export function useNow(everyMs = 10_000): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
