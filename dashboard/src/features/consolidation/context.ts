import { createContext, use } from 'react';
import type { Environment } from '../../shared/routing/parents.ts';
import type { DeviceLook } from '../../shared/user/devices.ts';
import type { UserHead } from '../../shared/user/head.ts';
import type { Editor } from './queries.ts';

type Consolidation = {
  readonly environment: Environment;
  readonly userId: string;
  readonly editor: Editor;
  readonly devices: ReadonlyMap<number, DeviceLook>;
  readonly head: UserHead;
};

/** The user whose consolidation all parts of the page are about. */
export const ConsolidationContext = createContext<Consolidation | null>(null);

export function useConsolidation(): Consolidation {
  const consolidation = use(ConsolidationContext);
  if (consolidation === null) throw new Error('only below the page of the consolidation');
  return consolidation;
}
