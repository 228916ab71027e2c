// Fills missing values of canonical sleeps from their duplicates, and records which device each value comes from.

import { createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { type FilledField, fillSleep } from '../../../domain/sleep/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { SourceLabel } from '../../store/devices/index.ts';
import type { StoredSleep } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { presentSourceForm1, type Sourced, withSources } from '../shared/index.ts';

export type FilledSleep = Sourced<StoredSleep> & {
  /** The sources of values that do not come from the canonical record. */
  readonly otherSources: ReadonlyMap<FilledField, SourceLabel>;
  /** The canonical record without the values of others. */
  readonly recorded: StoredSleep['session'];
  readonly duplicates: readonly Sourced<StoredSleep>[];
};

export function describeSleeps(
  user: UserHandle,
  canonical: readonly StoredSleep[],
  duplicates: ReadonlyMap<string, readonly StoredSleep[]>,
  sources: ReadonlyMap<DeviceNumber, SourceLabel>,
): FilledSleep[] {
  const { isEnabled } = createRules(user.consolidation);
  const toRecord = ({ session, source }: Sourced<StoredSleep>) => ({ session, device: source });
  return withSources(canonical, sources).map((sleep) => {
    const others = withSources(duplicates.get(sleep.id) ?? [], sources);
    const { session, givers } = fillSleep(toRecord(sleep), others.map(toRecord), isEnabled);
    const otherSources = Object.entries(givers).map(([field, { device }]) => [field, device] as const);
    return {
      ...sleep,
      recorded: sleep.session,
      session,
      otherSources: new Map(otherSources as [FilledField, SourceLabel][]),
      duplicates: others,
    };
  });
}

/** By the name of the field in the response. */
export function presentOtherSources(
  { otherSources }: FilledSleep,
  fields: { readonly [Field in FilledField]?: string },
): Record<string, ReturnType<typeof presentSourceForm1>> {
  const named = [...otherSources].flatMap(([field, source]) => {
    const name = fields[field];
    return name === undefined ? [] : [[name, presentSourceForm1(source)] as const];
  });
  return Object.fromEntries(named);
}
