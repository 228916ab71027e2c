// Parses create and update bodies of both API forms. Pure.
import { AppError } from '../../../platform/errors.ts';
import type { CreateUserInput } from './create-user.ts';
import type { UpdateUserInput } from './update-user.ts';
import type { MetadataPatch, ProfilePatch, UserFields } from './user-fields.ts';

type Body = {
  readonly reference_id?: string;
  readonly external_ref?: string;
  readonly timezone?: string | null;
  readonly profile?: object | null;
  readonly metadata?: MetadataPatch | null;
};

export function parseCreate(body: Body & { readonly seed?: boolean }): CreateUserInput {
  return { referenceId: readReference(body) ?? '', isSeeded: body.seed ?? null, ...readFields(body) }; // each form's schema requires its own field
}

export function parseUpdate(id: string, body: Body): UpdateUserInput {
  const referenceId = readReference(body);
  return { id, ...(referenceId === undefined ? {} : { referenceId }), ...readFields(body) };
}

/** If both fields are present they must be equal (gap G-08). */
function readReference({ reference_id, external_ref }: Body): string | undefined {
  if (reference_id !== undefined && external_ref !== undefined && reference_id !== external_ref) {
    throw new AppError('mixed_forms', { details: { form_1: ['reference_id'], form_2: ['external_ref'] } });
  }
  return reference_id ?? external_ref;
}

function readFields(body: Body): UserFields {
  return {
    ...(body.timezone === undefined ? {} : { timezone: body.timezone }),
    ...(body.profile === undefined ? {} : { profile: body.profile as ProfilePatch | null }),
    ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
  };
}
