// tributary sandbox scenario: generates a scenario in the last days of a sandbox user, and prints where to see it.
import { callOperator } from './operator-client.ts';
import { printJson, type Terminal } from './terminal.ts';

export type ScenarioOptions = { user: string; name: string; json?: boolean };

type Scenario = { did: string[]; from_date: string; to_date: string; look_at: string[] };

export async function printScenario(terminal: Terminal, { user, name, json }: ScenarioOptions): Promise<void> {
  const scenario = await callOperator<Scenario>(terminal, 'POST', '/admin/sandbox/scenarios', { user_id: user, name });
  if (json) return printJson(terminal, scenario);
  const calls = scenario.look_at.map((path) => `  GET ${path}`);
  terminal.stdout(
    `${[...scenario.did, 'To see it, call with a sandbox key and the header Api-Form: 1:', ...calls].join('\n')}\n`,
  );
}
