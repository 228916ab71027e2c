// The export of a user: everything that reads return, as one file.
import { preparedJson } from '../../../platform/http/prepared-json.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { type ExportQuery, exportQuery, type Format, parseExportQuery } from './export-query.ts';
import type { OpenedExport } from './open-export.ts';

const MEDIA_TYPES: Readonly<Record<Format, { readonly type: string; readonly extension: string }>> = {
  ndjson: { type: 'application/x-ndjson', extension: 'ndjson' },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  parquet: { type: 'application/vnd.apache.parquet', extension: 'parquet' },
  fhir: { type: 'application/fhir+ndjson', extension: 'fhir.ndjson' },
  omh: { type: 'application/x-ndjson', extension: 'omh.ndjson' },
  bundle: { type: 'application/x-ndjson', extension: 'bundle.ndjson' },
};

/** JSON: the providers, their restrictions, and the number of excluded records. */
const EXCLUDED_HEADER = 'tributary-excluded';

export const exportRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/users/:user_id/export',
    operationId: 'exportUser',
    tag: 'Data reads',
    summary: 'Export the data of a user as one file',
    description:
      'Daily values, sleeps with stages, workouts, scores with their factors, and samples, consolidated as in the other reads. The response is streamed; if the connection ends early, the file is incomplete. For many users use `tributary export`. Data of providers whose terms forbid passing it on is excluded; the header `Tributary-Excluded` then lists what is missing and why.',
    access: { to: 'api_key', billing: 'checked', members: 'excluded' },
    healthDataOf: 'path_user',
    query: exportQuery,
    replies: {
      200: {
        mediaType: MEDIA_TYPES.ndjson.type,
        otherTypes: [MEDIA_TYPES.csv.type, MEDIA_TYPES.parquet.type, MEDIA_TYPES.fhir.type],
        description: 'the file',
      },
    },
    parse: ({ params, query }): ExportQuery => parseExportQuery(params.user_id, query),
    present: ({ pieces, query: { userId, format }, exclusions }: OpenedExport) => ({
      status: 200,
      headers: {
        'content-type': MEDIA_TYPES[format].type,
        ...(exclusions !== null && { [EXCLUDED_HEADER]: JSON.stringify(exclusions) }),
        'content-disposition': `attachment; filename="${userId}.${MEDIA_TYPES[format].extension}"`,
      },
      body: preparedJson(pieces),
    }),
    cost: 'large_read',
    errors: ['not_found', 'invalid_metric'],
    handle: async (context, query) => (await import('./open-export.ts')).openExport(context, query), // 30 modules, seldom used
  }),
];
