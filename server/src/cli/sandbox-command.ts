// tributary sandbox scenario: a story in the last days of a sandbox user, and where to see it.
import { callOperator } from './operator-client.ts';
import { printJson, type Terminal } from './terminal.ts';

export type ScenarioOptions = { user: string; name: string; json?: boolean };

type Told = { did: string[]; from_date: string; to_date: string; look_at: string[] };

export async function tellScenario(terminal: Terminal, { user, name, json }: ScenarioOptions): Promise<void> {
  const told = await callOperator<Told>(terminal, 'POST', '/admin/sandbox/scenarios', { user_id: user, name });
  if (json) return printJson(terminal, told);
  const calls = told.look_at.map((path) => `  GET ${path}`);
  terminal.stdout(`${[...told.did, 'Look at it, with the key of the sandbox:', ...calls].join('\n')}\n`);
}
