// tributary serve: one process, or a group of them. Each loads only its own modules, so that a supervisor stays small.

import type { Role } from '../connection-plan.ts';
import { isGroupMember } from '../processes/group-member.ts';
import type { Terminal } from './terminal.ts';

type ServeOptions = { readonly role: Role; readonly processes: number };

export async function serve(terminal: Terminal, { role, processes }: ServeOptions): Promise<number> {
  if (isGroupMember) return (await import('./serve-member.ts')).serveMember(terminal);
  if (processes > 1) return (await import('./serve-group.ts')).serveGroup(terminal, { role, processes });
  return (await import('./serve-alone.ts')).serveAlone(terminal, role);
}
