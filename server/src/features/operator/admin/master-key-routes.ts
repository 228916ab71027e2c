// The operator's endpoints for rotating the master key while the service runs.

import { type MasterKey, parseMasterKey } from '../../../platform/crypto/master-key.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { type RequestContext, type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Rotation } from '../../../platform/keyring/index.ts';
import { auditDeployment, operatorActor } from '../../tenancy/accounts/index.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

export const masterKeyRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/master-key/rotate',
    operationId: 'adminRotateMasterKey',
    tag,
    summary: 'Rotate the master key; the old key stays valid until it is retired',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ new_key: nullable(Type.String()) }),
    replies: {
      200: Type.Object({
        fingerprint: Type.String(),
        previous: Type.String(),
        kept_in: oneOfWords(['file', 'environment']),
        new_key: nullable(Type.String()),
      }),
    },
    parse: ({ body }) => (body.new_key === null ? null : parseNewKey(body.new_key)),
    present: ({ fingerprint, previous, keptIn, newKey }: Rotation) => ({
      status: 200,
      body: { fingerprint, previous, kept_in: keptIn, new_key: newKey },
      headers: { 'cache-control': 'no-store' },
    }),
    errors: ['master_key_conflict'],
    handle: (context, newKey: MasterKey | null) =>
      context.services.keyKeeper.rotateMaster(newKey, recordAs('master_key.rotated', context)),
  }),
  route({
    method: 'POST',
    path: '/admin/master-key/finish',
    operationId: 'adminFinishMasterKeyRotation',
    tag,
    summary: 'Finish the rotation: retire all master keys except the current one',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ retired: Type.Array(Type.String()) }) },
    present: (retired: string[]) => ({ status: 200, body: { retired } }),
    errors: ['master_key_conflict'],
    handle: (context) => context.services.keyKeeper.finishRotation(recordAs('master_key.retired', context)),
  }),
];

function recordAs(action: string, context: RequestContext) {
  const act = { action, actor: operatorActor(context), at: context.services.clock.now() };
  return (tx: Transaction, subject: string) => auditDeployment(tx, { ...act, subject });
}

function parseNewKey(text: string): MasterKey {
  const key = parseMasterKey(text);
  if (key) return key;
  throw new AppError('invalid_body', {
    details: { issues: [{ path: '/new_key', message: 'must be 32 bytes in base64 or hex' }] },
  });
}
