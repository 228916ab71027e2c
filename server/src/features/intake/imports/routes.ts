// The operator's endpoints of file imports. The command line reads the file and sends its records in batches.
import { SCOPES } from '../../../domain/metrics/categories.ts';
import { FILE_PROVIDER, ON_DEVICE_PROVIDERS } from '../../../domain/provider-ids.ts';
import { ENVIRONMENTS } from '../../../domain/tenancy.ts';
import type { PackedBody } from '../../../platform/http/packed-body.ts';
import { type RequestContext, type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { operatorActor } from '../../tenancy/accounts/index.ts';
import { getUserForOperatorOrThrow, type UserHandle } from '../../tenancy/user-core/index.ts';
import { receiveCountedUpload, type UploadAnswer, uploadBody, uploadReply } from '../uploads/index.ts';
import { auditImport } from './audit-import.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

/** Imported sources always have an id or a name, so the installation identifies no device. */
const INSTALLATION = 'import';

export const importRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/users/:user_id/imports',
    operationId: 'adminReadImportTarget',
    tag,
    summary: 'Read the environment and time zone of the user that an import is for',
    access,
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object({
        user_id: uuid('user'),
        environment: oneOfWords(ENVIRONMENTS),
        timezone: nullable(Type.String()),
      }),
    },
    present: ({ userId, tenant, timezone }: UserHandle) => ({
      status: 200,
      body: { user_id: userId, environment: tenant.environment, timezone },
    }),
    errors: ['not_found'],
    handle: ({ services }, { params }) => getUserForOperatorOrThrow(services.db, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/admin/users/:user_id/imports',
    operationId: 'adminImport',
    tag,
    summary: 'Import one batch of records of a file: the body is an SDK upload, with the same limits and response',
    access,
    healthDataOf: 'nobody',
    bodyKind: 'packed_json',
    body: uploadBody,
    replies: { 200: uploadReply },
    present: (answer: UploadAnswer) => ({ status: 200, body: answer }),
    errors: ['not_found', 'upload_conflict', 'device_limit'],
    handle: (context, { params, body }) => importBatch(context, params.user_id, body),
  }),
];

type ImportContext = Pick<RequestContext, 'requestId' | 'userAgent'> & {
  readonly services: Parameters<typeof receiveCountedUpload>[0]['services'];
};

/** The session begins now: an import connects a source again that was disconnected before. */
async function importBatch(context: ImportContext, id: string, body: PackedBody): Promise<UploadAnswer> {
  const { services } = context;
  const user = await getUserForOperatorOrThrow(services.db, id);
  const audit = auditImport(user, operatorActor(context));
  const caller = {
    tenant: user.tenant,
    userId: user.userId,
    scopes: SCOPES,
    sources: [...ON_DEVICE_PROVIDERS, FILE_PROVIDER],
    installationId: INSTALLATION,
    sessionCreatedAt: services.clock.now(),
    sessionId: null,
    recordChange: audit.recordChange,
  };
  const answer = await receiveCountedUpload({ services, caller }, body);
  audit.finish();
  return answer;
}
