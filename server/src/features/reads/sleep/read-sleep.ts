// Reads a page of the canonical sleep sessions of a user.

import { createZone } from '../../../domain/time/day.ts';
import { listCanonicalSleeps, listSleepDuplicates } from '../../store/session-store/index.ts';
import { type ConditionalContext, openForRead, planPage, readSources } from '../shared/index.ts';
import { describeSleeps } from './describe-sleeps.ts';
import type { SleepQuery, SleepReadModel } from './sleep-read-model.ts';

export async function readSleep(context: ConditionalContext, query: SleepQuery): Promise<SleepReadModel> {
  const { services } = context;
  const user = await openForRead(context, query.userId);
  const plan = planPage(services, user, 'sleep', query.page);
  const { range } = plan;
  context.revalidate(`${user.dataRevision}.${range.from}.${range.to}`);
  const rows = await listCanonicalSleeps(services.db, user, range, plan.rows);
  const { pageRows, nextCursor } = plan.cut(rows);
  const duplicates = await listSleepDuplicates(services.db, user, pageRows);
  const sources = await readSources(services.db, user); // after the rows, so that devices added in between are known
  const { unitSystem, includeSources, included } = query;
  const sleeps = describeSleeps(user, pageRows, duplicates, sources);
  return { range, zone: createZone(user.timezone), sleeps, nextCursor, unitSystem, includeSources, included };
}
