// Who set the consolidation of a key for a user, in words. Pure.
import { shortDateTime } from '../time/format-time.ts';

type Change = {
  readonly at: string;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly via: string;
};

const ACTORS: Readonly<Record<string, string>> = {
  api_key: 'an API key',
  operator: 'the operator',
  cli: 'the operator',
  member: 'a member',
};
const VIAS: Readonly<Record<string, string>> = {
  dashboard: 'in the dashboard',
  api: 'with the API',
  cli: 'on the command line',
};

/** Null: the audit log has no entry of the change. */
export function describeChange(change: Change | null): string {
  if (change === null) return 'Set for this user.';
  const who = change.actor_name ?? ACTORS[change.actor] ?? change.actor;
  return `Set for this user by ${who} on ${shortDateTime(change.at)}, ${VIAS[change.via] ?? change.via}.`;
}
