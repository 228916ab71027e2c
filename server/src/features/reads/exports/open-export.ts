// Opens the export of one user for an API call.
import type { Metric } from '../../../domain/metrics/index.ts';
import type { JsonPieces } from '../../../platform/http/prepared-json.ts';
import { readRestricted } from '../../store/devices/index.ts';
import { openForRead, type ReadContext } from '../shared/index.ts';
import { countExclusions, type Exclusions } from './exclusions.ts';
import type { ExportQuery } from './export-query.ts';
import { findExcluded } from './exportable.ts';
import { findRange } from './find-range.ts';
import { joinPieces } from './join-pieces.ts';
import { writeExport } from './write-export.ts';

type Context = ReadContext & { readonly services: Parameters<typeof writeExport>[0] };

export type OpenedExport = {
  readonly pieces: JsonPieces;
  readonly query: ExportQuery;
  readonly exclusions: Exclusions | null;
};

export async function openExport(context: Context, query: ExportQuery): Promise<OpenedExport> {
  const { services } = context;
  const user = await openForRead(context, query.userId);
  const isWanted = ({ id }: Metric) => query.metrics === null || query.metrics.has(id);
  const excluded = findExcluded(await readRestricted(services, user));
  const source = { db: services.db, user, isWanted, excluded };
  const range = await findRange(services.db, user, query);
  const exclusions = await countExclusions(source, range, query.resources);
  return {
    pieces: joinPieces(writeExport(services, source, query, { range, exclusions })),
    query: { ...query, userId: user.userId },
    exclusions,
  };
}
