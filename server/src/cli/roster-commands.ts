// tributary roster: replaces privacy portal links of members.
import { callOperator } from './operator-client.ts';
import { printJson, type Terminal } from './terminal.ts';

type Rotated = { email: string; sent_by: 'mail' | 'stdout' };

export async function rotateLink(terminal: Terminal, options: { email: string; json?: boolean }): Promise<void> {
  const rotated = await callOperator<Rotated>(terminal, 'POST', '/admin/roster/rotate-link', { email: options.email });
  if (options.json) return printJson(terminal, rotated);
  const next =
    rotated.sent_by === 'mail'
      ? 'A new link is being sent by email.'
      : 'No mail server is configured, so the service printed a new link on its standard output.';
  terminal.stdout(`All privacy portal links of ${rotated.email} are now invalid. ${next}\n`);
}
