// Reads what a change of the consolidation settings was about, from its entry in the audit log. Pure.
import type { ConsolidationSettings } from '../../../domain/consolidate/consolidation-rules.ts';

type Details = {
  readonly before?: Pick<ConsolidationSettings, 'metrics'>;
  readonly after?: Pick<ConsolidationSettings, 'metrics'>;
};

/** Whether the change resulted in the present settings of the key. */
export function isAbout(key: string, { before, after }: Details): boolean {
  const describe = (settings: Details['before']) => {
    const { method = null, providersOff = [] } = settings?.metrics[key] ?? {};
    return JSON.stringify([method, providersOff]);
  };
  return describe(before) !== describe(after);
}
