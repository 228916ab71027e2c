import { type RefObject, useEffect, useRef } from 'react';

/** Loads the next page when the end of the list comes near. */
export function useNextPage(canLoad: boolean, load: () => void): RefObject<HTMLSpanElement | null> {
  const sentinel = useRef<HTMLSpanElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (!canLoad || sentinel.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: '600px' },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [canLoad]);
  return sentinel;
}
