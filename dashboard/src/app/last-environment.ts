// The environment that was open last, so that /dashboard opens the same one again.
import type { Environment } from '../shared/routing/parents.ts';

const NAME = 'environment';

export function readEnvironment(): Environment {
  try {
    return localStorage.getItem(NAME) === 'live' ? 'live' : 'sandbox';
  } catch {
    return 'sandbox';
  }
}

export function rememberEnvironment(environment: Environment): void {
  try {
    localStorage.setItem(NAME, environment);
  } catch {
    // Storage is blocked: /dashboard opens the sandbox.
  }
}
