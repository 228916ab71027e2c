// Writes the export of one user in a format.
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { readRestricted } from '../../store/devices/index.ts';
import type { DateRange } from '../shared/index.ts';
import type { Exclusions } from './exclusions.ts';
import type { ExportQuery } from './export-query.ts';
import type { ExportSource } from './export-source.ts';
import { findExcluded } from './exportable.ts';
import type { Pieces } from './join-pieces.ts';
import { openSharedUser } from './open-shared-user.ts';
import { writeBundle } from './write-bundle.ts';
import { writeCsv } from './write-csv.ts';
import { writeFhir } from './write-fhir.ts';
import { writeNdjson } from './write-ndjson.ts';
import { writeOmh } from './write-omh.ts';
import { writeParquet } from './write-parquet.ts';

/** A user who stops sharing, is deleted, or connects a restricted provider during a long export: no more than this is sent afterwards. */
const SENT_BETWEEN_CHECKS = 1_048_576;

type ExportRequest = Omit<ExportQuery, 'userId'>;
/** Read before the file begins. `range` null: there is no data. */
type ExportPlan = { readonly range: DateRange | null; readonly exclusions: Exclusions | null };

export async function* writeExport(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  source: ExportSource,
  request: ExportRequest,
  plan: ExportPlan,
): Pieces {
  let unchecked = 0;
  for await (const piece of openFormat(services, source, request, plan)) {
    unchecked += piece.length;
    if (unchecked >= SENT_BETWEEN_CHECKS) {
      await requireAllowed(services, source);
      unchecked = 0;
    }
    yield piece;
  }
  // An incomplete file must not be taken for a complete one.
  await requireAllowed(services, source);
}

/** Exclusions are found before the file begins, and its header and first lines name them. */
async function requireAllowed(services: Pick<Services, 'db' | 'settings'>, source: ExportSource): Promise<void> {
  await openSharedUser(source);
  for (const provider of findExcluded(await readRestricted(services, source.user)).keys())
    if (!source.excluded.has(provider)) throw new AppError('unavailable');
}

function openFormat(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  source: ExportSource,
  { format, resources }: ExportRequest,
  { range, exclusions }: ExportPlan,
): Pieces {
  const [first = 'daily'] = resources;
  switch (format) {
    case 'ndjson':
      return writeNdjson(source, range, resources, exclusions);
    case 'csv':
      return writeCsv(source, range, first);
    case 'parquet':
      return writeParquet(source, range, first);
    case 'fhir':
      return writeFhir(source, range, resources, exclusions);
    case 'omh':
      return writeOmh(source, range, resources);
    case 'bundle':
      return writeBundle(services, source, exclusions);
  }
}
