// Commands of the service's command line, as they are called where it is installed.
import { useSession } from './session.ts';

export const FORWARD_EVENTS = 'listen --forward-to http://127.0.0.1:3000/hook';

/** Adds the name of the program to arguments. */
export function useCommandLine(): (parameters: string) => string {
  const name = useSession()?.command_name ?? 'tributary';
  return (parameters) => `${name} ${parameters}`;
}
