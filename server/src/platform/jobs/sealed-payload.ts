// A job's payload that only this service can read. Job rows are visible to anybody who can read the database.
import { newId } from '../ids.ts';
import { Type } from '../json-schema.ts';
import type { Services } from '../services.ts';

type SealedPayload = { readonly id: string; readonly sealed: string };

export const sealedFields = {
  id: Type.String({ description: 'unique per job; `sealed` opens only with it' }),
  sealed: Type.String({ description: 'base64' }),
};

/** `purpose`: the same text opens it. */
export function sealPayload({ secrets }: Pick<Services, 'secrets'>, purpose: string, text: string): SealedPayload {
  const id = newId<string>();
  return { id, sealed: secrets.seal(text, `${purpose} ${id}`).toString('base64') };
}

export function openPayload({ secrets }: Pick<Services, 'secrets'>, purpose: string, payload: SealedPayload): string {
  return secrets.open(Buffer.from(payload.sealed, 'base64'), `${purpose} ${payload.id}`);
}
