// The state of a delivery and of its attempts in words.
import type { IconName } from '../../shared/ui/icon.tsx';
import type { Tone } from '../../shared/ui/pill.tsx';
import type { Attempt, Delivery } from './queries.ts';
import { words } from './words.ts';

type State = { readonly tone: Tone; readonly icon: IconName; readonly text: string };

export function describeState({ status, attempt_count }: Pick<Delivery, 'status' | 'attempt_count'>): State {
  if (status === 'succeeded') return { tone: 'good', icon: 'check', text: words.states.succeeded };
  if (status === 'failed') return { tone: 'bad', icon: 'cross', text: words.states.failed };
  if (attempt_count === 0) return { tone: 'plain', icon: 'clock', text: words.states.waiting };
  return { tone: 'warn', icon: 'retry', text: words.states.retrying(attempt_count + 1) };
}

/** "500", "no response" or "–". */
export function lastAnswer({ attempts }: Pick<Delivery, 'attempts'>): string {
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  return last.status === null ? words.noAnswer : String(last.status);
}

type Advice = { readonly title: string; readonly text: string };

/** What happened, and what to do. Null: the attempt succeeded. */
export function adviseAttempt({ error, status }: Pick<Attempt, 'error' | 'status'>): Advice | null {
  if (error === null) return null;
  if (error === 'status' && status !== null) return { title: words.answered(status), text: adviseStatus(status) };
  if (error === 'redirect' && status !== null) return { title: words.redirected(status), text: words.redirectAdvice };
  return words.failures[error] ?? { title: words.failed(error), text: words.retryAdvice };
}

function adviseStatus(status: number): string {
  if (status >= 500) return words.serverAdvice;
  return words.statusAdvice[status] ?? words.refusedAdvice;
}
