// tributary sandbox scenario: a story in the last days of a sandbox user, and where to see it.
import { callOperator } from './operator-client.ts';
import { printJson, type Terminal } from './terminal.ts';

export type ScenarioOptions = { user: string; name: string; json?: boolean };

type Reported = { did: string[]; from_date: string; to_date: string; look_at: string[] };

export async function printScenario(terminal: Terminal, { user, name, json }: ScenarioOptions): Promise<void> {
  const reported = await callOperator<Reported>(terminal, 'POST', '/admin/sandbox/scenarios', { user_id: user, name });
  if (json) return printJson(terminal, reported);
  const calls = reported.look_at.map((path) => `  GET ${path}`);
  terminal.stdout(`${[...reported.did, 'Look at it, with the key of the sandbox:', ...calls].join('\n')}\n`);
}
