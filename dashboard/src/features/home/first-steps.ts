// The first steps of a new environment: which are done, which is next, and the calls to copy. Pure.
import type { FirstSteps } from './queries.ts';

export const STEPS = ['key', 'user', 'explain', 'listen', 'connect'] as const;
export type FirstStep = (typeof STEPS)[number];

/** With more users the first steps are over, whatever the request log of the last week has seen. */
const MAX_USERS = 10;

export function isDone(step: FirstStep, steps: FirstSteps): boolean {
  switch (step) {
    case 'key':
      return steps.key?.is_used ?? false;
    case 'user':
      return steps.created !== null || steps.users > 0;
    case 'explain':
      return steps.explained !== null;
    case 'listen':
      return steps.is_listening;
    case 'connect':
      return steps.is_connected;
  }
}

/** Null: all are done. */
export function nextStep(steps: FirstSteps): FirstStep | null {
  return STEPS.find((step) => !isDone(step, steps)) ?? null;
}

export function isNew({ users }: { readonly users: number }): boolean {
  return users < MAX_USERS;
}

/** A shell command per step, for the address of this service. */
export function commandOf(step: Exclude<FirstStep, 'connect'>, facts: CommandFacts): string {
  const { origin, environment, key, lastFour, userId, date } = facts;
  const authorization = '  -H "Authorization: Bearer $KEY"';
  switch (step) {
    case 'key':
      return `export KEY=${key ?? `sk_${environment}_…${lastFour ?? ''}`}`;
    case 'user':
      return [
        `curl -s ${origin}/v1/users \\`,
        `${authorization} \\`,
        '  -H "Api-Form: 2" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d '{"external_ref": "ada", "timezone": "${facts.zone}"}'`,
      ].join('\n');
    case 'explain':
      return [
        `curl -s "${origin}/v1/users/${userId ?? 'USER_ID'}/daily/explain?metric=steps&date=${date}" \\`,
        `${authorization} \\`,
        '  -H "Api-Form: 2"',
      ].join('\n');
    case 'listen':
      return facts.forwardCommand;
  }
}

type CommandFacts = {
  readonly origin: string;
  readonly environment: string;
  /** Only while it is shown. */
  readonly key: string | null;
  readonly lastFour: string | null;
  readonly userId: string | null;
  readonly date: string;
  readonly zone: string;
  readonly forwardCommand: string;
};
