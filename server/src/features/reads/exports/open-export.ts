// Opens the export of one user for an API call.
import type { Metric } from '../../../domain/metrics/index.ts';
import type { JsonPieces } from '../../../platform/http/prepared-json.ts';
import { openForRead, type ReadContext } from '../shared/index.ts';
import type { ExportQuery } from './export-query.ts';
import { joinPieces } from './join-pieces.ts';
import { writeExport } from './write-export.ts';

type Context = ReadContext & { readonly services: Parameters<typeof writeExport>[0] };

export async function openExport(
  context: Context,
  query: ExportQuery,
): Promise<{ pieces: JsonPieces; query: ExportQuery }> {
  const { services } = context;
  const user = await openForRead(context, query.userId);
  const isWanted = ({ id }: Metric) => query.metrics === null || query.metrics.has(id);
  const source = { db: services.db, user, isWanted };
  return { pieces: joinPieces(writeExport(services, source, query)), query: { ...query, userId: user.userId } };
}
