// tributary roster …
import { callOperator } from './operator-client.ts';
import { printJson, type Terminal } from './terminal.ts';

type Rotated = { email: string; sent_by: 'mail' | 'stdout' };

export async function rotateLink(terminal: Terminal, options: { email: string; json?: boolean }): Promise<void> {
  const rotated = await callOperator<Rotated>(terminal, 'POST', '/admin/roster/rotate-link', { email: options.email });
  if (options.json) return printJson(terminal, rotated);
  const where =
    rotated.sent_by === 'mail'
      ? 'A new one goes out by mail.'
      : 'A new one is on the standard output of the service: no mail server is set.';
  terminal.stdout(`All privacy-portal links of ${rotated.email} have stopped working. ${where}\n`);
}
