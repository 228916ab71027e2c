import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLive } from '../../shared/live/use-live.ts';
import type { Environment } from '../../shared/routing/parents.ts';
import { isNew, nextStep } from './first-steps.ts';
import { type FirstSteps, firstStepsQuery, type Overview } from './queries.ts';

const NAME = 'first-steps-hidden';

type Shown = {
  /** Null: the page shows the overview. */
  readonly steps: FirstSteps | null;
  /** It is not known yet which of the two the page shows. */
  readonly isPending: boolean;
  readonly canShow: boolean;
  hide(): void;
  show(): void;
};

/** The first steps stay until all are done, or hidden; calls and events tick them as they arrive. */
export function useFirstSteps(environment: Environment, overview: Overview | undefined): Shown {
  const [isHidden, setHidden] = useState(() => readHidden(environment));
  const isOffered = overview !== undefined && isNew(overview) && !isHidden;
  const { data, refetch, isPending } = useQuery({ ...firstStepsQuery(environment), enabled: isOffered });
  const update = () => void (isOffered && refetch());
  useLive({ onRequest: update, onEvent: update });
  // Done while the person looks at them: they stay, and say so.
  const wasOpen = useRef(false);
  const isOpen = isOffered && data !== undefined && (wasOpen.current || nextStep(data) !== null);
  wasOpen.current = isOpen;
  const change = (next: boolean) => {
    rememberHidden(environment, next);
    setHidden(next);
  };
  return {
    steps: isOpen ? data : null,
    isPending: isOffered && isPending && data === undefined,
    canShow: isHidden && overview !== undefined && isNew(overview),
    hide: () => change(true),
    show: () => change(false),
  };
}

function readHidden(environment: Environment): boolean {
  try {
    return localStorage.getItem(`${NAME}-${environment}`) !== null;
  } catch {
    return false;
  }
}

function rememberHidden(environment: Environment, isHidden: boolean): void {
  try {
    if (isHidden) localStorage.setItem(`${NAME}-${environment}`, 'true');
    else localStorage.removeItem(`${NAME}-${environment}`);
  } catch {
    // Storage is blocked: the steps are shown again after a reload.
  }
}
