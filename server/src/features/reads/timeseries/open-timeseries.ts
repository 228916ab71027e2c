// From the question to the text of its answer, of which nothing is read before somebody asks for it.
import { createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import type { JsonPieces } from '../../../platform/http/prepared-json.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { openForRead, type ReadContext } from '../shared/index.ts';
import type { TimeseriesQuery } from './query.ts';
import { streamTimeseries } from './stream-timeseries.ts';

export async function openTimeseries(
  context: ReadContext & { revalidate(version: string): void },
  query: TimeseriesQuery,
): Promise<JsonPieces> {
  const { db } = context.services;
  const user = await openForRead(context, query.userId);
  context.revalidate(`${user.dataRevision}.${user.timezone}`);
  const devices = await listSourceDevices(db, user);
  return streamTimeseries({ db, user, devices, isEnabled: createRules(user.consolidation).isEnabled }, query);
}
