import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { SampleRange } from './queries.ts';

const SETTLED_MS = 150;

type Chosen = SampleRange | null;

type Zoom = {
  /** The part of the samples on screen; null is all of them. */
  readonly range: Chosen;
  /** Until the address has it, one column per pixel is drawn. */
  readonly isMoving: boolean;
  show(range: Chosen): void;
};

/**
 * The part on screen changes at once. The address, and the samples with it, follow when the zoom stops, because a navigation
 * takes longer than a frame.
 */
export function useZoom(address: Chosen, write: (range: Chosen) => void): Zoom {
  const [range, setRange] = useState(address);
  const written = useRef(address);
  const follow = useEffectEvent(() => {
    if (isSame(address, written.current)) return;
    written.current = address;
    setRange(address);
  });
  const settle = useEffectEvent(() => {
    if (isSame(range, written.current)) return;
    written.current = range;
    write(range);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address is followed
  useEffect(() => follow(), [address?.fromMs, address?.toMs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every move begins the time again
  useEffect(() => {
    const timer = setTimeout(() => settle(), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [range]);
  return { range, isMoving: !isSame(range, address), show: setRange };
}

function isSame(one: Chosen, other: Chosen): boolean {
  return one?.fromMs === other?.fromMs && one?.toMs === other?.toMs;
}
