// Wire schemas of users. The two API forms differ only in the name of the reference and in the envelope.

import { MAX_REFERENCE_LENGTH } from '../../../domain/tenancy.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { deviceReply } from '../../store/devices/index.ts';
import { profileFields, profileReply } from '../../tenancy/user-core/index.ts';
import { MAX_METADATA_KEYS } from './user-fields.ts';

const MAX_METADATA_VALUE = 500;
const MAX_METADATA_KEY = 100;

const profilePatch = Type.Unsafe<Record<string, never> | null>({
  type: ['object', 'null'],
  title: 'UserProfileUpdate',
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(profileFields).map(([name, schema]) => [name, nullable(schema)])),
  description: 'all fields are optional; null for a field clears it, null for the object clears all fields',
});

const metadataPatch = Type.Unsafe<Record<string, string | null> | null>({
  type: ['object', 'null'],
  maxProperties: 2 * MAX_METADATA_KEYS, // an update may remove as many keys as it adds; the limit applies to the merged result
  propertyNames: { minLength: 1, maxLength: MAX_METADATA_KEY },
  additionalProperties: { type: ['string', 'null'], maxLength: MAX_METADATA_VALUE },
  description:
    'your own key-value pairs; an update merges them, null for a key removes it, null for the object removes all',
});

const reference = () =>
  Type.String({
    minLength: 1,
    maxLength: MAX_REFERENCE_LENGTH,
    description: 'your own id for the user, unique in the environment',
  });
const timezone = () =>
  nullable(Type.String({ maxLength: 64, description: 'IANA name, e.g. Europe/Berlin; null means UTC' }));
const editable = {
  timezone: Type.Optional(timezone()),
  profile: Type.Optional(profilePatch),
  metadata: Type.Optional(metadataPatch),
};

const seed = Type.Optional(
  Type.Boolean({
    description:
      'false creates a sandbox user without devices and data, for example to test onboarding. Default: true with a sandbox key. A live user starts without data: true with a live key is an error',
  }),
);

// Both forms accept both names, so that a body with both gets a `mixed_forms` error instead of an unknown field.
export const createForm1 = requestObject({
  reference_id: reference(),
  external_ref: Type.Optional(reference()),
  ...editable,
  seed,
});
export const createForm2 = requestObject({
  external_ref: reference(),
  reference_id: Type.Optional(reference()),
  ...editable,
  seed,
});
export const updateBody = requestObject(
  { reference_id: Type.Optional(reference()), external_ref: Type.Optional(reference()), ...editable },
  { minProperties: 1 },
);

export const listForm1 = requestObject({
  reference_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_REFERENCE_LENGTH, description: 'exact match' }),
  ),
  page: withDefault(Type.Integer({ minimum: 1, maximum: 1_000_000 }), 1),
  per_page: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 20),
});
export const listForm2 = requestObject({
  external_ref: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_REFERENCE_LENGTH, description: 'exact match' }),
  ),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 50),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'next_cursor of the previous page, unchanged' }),
  ),
});

const common = {
  timezone: timezone(),
  status: oneOfWords(['active']),
  score_status: oneOfWords(['calibrating', 'ready', 'stale']),
  last_sync_at: nullable(timestamp()),
  last_score_at: nullable(timestamp()),
  created_at: timestamp(),
  profile: profileReply,
  metadata: Type.Object({}, { additionalProperties: Type.String() }),
};
const detail = {
  devices: Type.Array(deviceReply),
  sync: Type.Object(
    {
      last_sync_at: nullable(timestamp()),
      devices_active: Type.Integer(),
      devices_failing: Type.Integer(),
    },
    { title: 'UserSync' },
  ),
};

export const userForm1 = Type.Object(
  { id: uuid('user'), reference_id: Type.String(), ...common },
  { title: 'UserForm1' },
);
export const userForm2 = Type.Object(
  { id: uuid('user'), external_ref: Type.String(), ...common },
  { title: 'UserForm2' },
);
export const detailForm1 = Type.Object(
  { id: uuid('user'), reference_id: Type.String(), ...common, ...detail },
  { title: 'UserDetailForm1' },
);
export const detailForm2 = Type.Object(
  { id: uuid('user'), external_ref: Type.String(), ...common, ...detail },
  { title: 'UserDetailForm2' },
);
export const deletion = Type.Object({ id: uuid('user'), status: oneOfWords(['deleting']) }, { title: 'UserDeletion' });
