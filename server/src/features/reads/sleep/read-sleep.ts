// The sleeps of a user that are shown, of a range of days.

import { createZone } from '../../../domain/time/day.ts';
import { listShownSleeps, listSleepCopies } from '../../store/session-store/index.ts';
import { openForReading, planPage, type ReadingContext, readSources } from '../shared/index.ts';
import { fillSleeps } from './fill-sleeps.ts';
import type { SleepQuestion, SleepReading } from './sleep-reading.ts';

type Context = ReadingContext & { revalidate(version: string): void };

export async function readSleep(context: Context, question: SleepQuestion): Promise<SleepReading> {
  const { services } = context;
  const user = await openForReading(context, question.userId);
  const plan = planPage(services, user, 'sleep', question.page);
  const { range } = plan;
  context.revalidate(`${user.dataRevision}.${range.from}.${range.to}`);
  const rows = await listShownSleeps(services.db, user, range, plan.rows);
  const { shown, nextCursor } = plan.cut(rows);
  const copies = await listSleepCopies(services.db, user, shown);
  const sources = await readSources(services.db, user); // after the rows: a device that came between is known then
  const { unitSystem, includeSources, includeStages } = question;
  const sleeps = fillSleeps(user, shown, copies, sources);
  return { range, zone: createZone(user.timezone), sleeps, nextCursor, unitSystem, includeSources, includeStages };
}
