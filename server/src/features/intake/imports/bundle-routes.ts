// The operator's endpoints of bundle imports. The command line reads and checks the file, and sends its lines in batches.
import type { Static } from 'typebox';
import { isUuid } from '../../../domain/tenancy.ts';
import { AppError } from '../../../platform/errors.ts';
import { type PackedBody, parseJsonBytes, unpackBody } from '../../../platform/http/packed-body.ts';
import { type RequestContext, type Route, route } from '../../../platform/http/route.ts';
import { nullable, requestObject, uuid } from '../../../platform/http/schema.ts';
import { checkInput } from '../../../platform/http/validate.ts';
import { Type } from '../../../platform/json-schema.ts';
import { operatorActor } from '../../tenancy/accounts/index.ts';
import { getUserForOperatorOrThrow } from '../../tenancy/user-core/index.ts';
import type { BundleLine } from './bundle/line-schemas.ts';
import { LineError, parseLine } from './bundle/parse-line.ts';
import { type StartedImport, startBundleImport } from './bundle/start-bundle-import.ts';
import { type StoredLines, storeBundleLines } from './bundle/store-bundle-lines.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

const deviceIds = Type.Array(Type.Object({ device: Type.Integer({ minimum: 1 }), id: uuid('device') }), {
  description: 'the id of each device of the bundle at this deployment, by its number in the bundle',
});
const lines = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'lines of the bundle, see docs/bundle.md',
});
const startBody = requestObject({
  lines,
  confirmed_reference: nullable(
    Type.String({ description: "the bundle's reference_id, to import it into a user with another reference" }),
  ),
});
const linesBody = requestObject({ device_id: nullable(uuid('device')), devices: deviceIds, lines });

type StartBody = Static<typeof startBody>;
type LinesBody = Static<typeof linesBody>;

export const bundleRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/users/:user_id/bundle',
    operationId: 'adminStartBundleImport',
    tag,
    summary: 'Begin to import a bundle: restores the settings and devices of the user',
    access,
    healthDataOf: 'nobody',
    bodyKind: 'packed_json',
    body: startBody,
    replies: { 200: Type.Object({ devices: deviceIds, other_devices: Type.Integer() }) },
    present: ({ devices, otherDevices }: StartedImport) => ({
      status: 200,
      body: { devices: [...devices].map(([device, id]) => ({ device, id })), other_devices: otherDevices },
    }),
    errors: ['not_found', 'bundle_of_another_user', 'bundle_of_another_environment', 'device_limit'],
    handle: (context, { params, body }) => start(context, params.user_id, body),
  }),
  route({
    method: 'POST',
    path: '/admin/users/:user_id/bundle/lines',
    operationId: 'adminImportBundleLines',
    tag,
    summary: 'Import lines of a bundle, all of one device',
    access,
    healthDataOf: 'nobody',
    bodyKind: 'packed_json',
    body: linesBody,
    replies: {
      200: Type.Object({
        accepted: Type.Integer(),
        duplicates: Type.Integer(),
        rejected: Type.Integer(),
        routes_not_kept: Type.Integer({
          description: 'workouts whose route or laps were dropped, because the account does not keep them',
        }),
      }),
    },
    present: ({ routesNotKept, ...counts }: StoredLines) => ({
      status: 200,
      body: { ...counts, routes_not_kept: routesNotKept },
    }),
    errors: ['not_found'],
    handle: (context, { params, body }) => storeLines(context, params.user_id, body),
  }),
];

type StartContext = Pick<RequestContext, 'requestId' | 'userAgent'> & {
  readonly services: Parameters<typeof startBundleImport>[0];
};

async function start(context: StartContext, id: string, body: PackedBody): Promise<StartedImport> {
  const user = await getUserForOperatorOrThrow(context.services.db, id);
  const { lines: sent, confirmed_reference: confirmedReference } = await readJson<StartBody>(body, startBody);
  const parsed = sent.map(openLine);
  const [header, owner] = [parsed[0], parsed[1]];
  if (header?.line !== 'header' || owner?.line !== 'user')
    throw invalidLine(0, 'must be the header, and the next line the user');
  const devices = parsed.slice(2).filter((line) => line.line === 'device');
  return startBundleImport(
    context.services,
    user,
    { header, user: owner, devices, confirmedReference },
    operatorActor(context),
  );
}

async function storeLines(
  { services }: { readonly services: Parameters<typeof storeBundleLines>[0] },
  id: string,
  body: PackedBody,
): Promise<StoredLines> {
  const user = await getUserForOperatorOrThrow(services.db, id);
  const { device_id: deviceId, devices, lines: sent } = await readJson<LinesBody>(body, linesBody);
  const records = sent.map(openLine).flatMap((line) => {
    if (line.line === 'header' || line.line === 'user' || line.line === 'device' || line.line === 'end') return [];
    return line;
  });
  const ids = new Map(devices.filter((one) => isUuid(one.id)).map((one) => [one.device, one.id]));
  return storeBundleLines(services, user, { deviceId, devices: ids, lines: records });
}

async function readJson<Body>(
  body: PackedBody | undefined,
  schema: typeof startBody | typeof linesBody,
): Promise<Body> {
  if (body === undefined) throw new AppError('invalid_body');
  const value = parseJsonBytes(await unpackBody(body));
  // The lines have their own schemas, and searching them for texts would take long.
  const { lines: sent, ...rest } = value as { lines?: unknown };
  checkInput(schema, { ...rest, lines: [] }, 'invalid_body');
  if (!Array.isArray(sent)) throw invalidLine(0, 'must be a list of lines');
  return value as Body;
}

function openLine(value: unknown, index: number): BundleLine {
  try {
    return parseLine(value);
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw invalidLine(index, error.message);
  }
}

function invalidLine(index: number, message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path: `lines[${index}]`, message }] } });
}
