// Request and response schemas of the list of users.
import { DEVICE_CLASSES } from '../../../domain/metrics/index.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { LISTED_SCORES } from './list-directory.ts';
import { DIRECTORY_FILTERS } from './read-page.ts';

const MAX_ENTRIES = 50;
const MAX_TEXT = 100;

export const directoryQuery = requestObject({
  q: Type.Optional(
    Type.String({
      maxLength: MAX_TEXT,
      description: 'beginning of a reference, an id (8 digits or more), a mail address or a word of the metadata',
    }),
  ),
  filter: Type.Optional(oneOfWords(DIRECTORY_FILTERS)),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_ENTRIES }), MAX_ENTRIES),
});

const week = () => Type.Array(nullable(Type.Number()), { description: 'seven days, the last is today' });

export const directoryReply = Type.Object({
  total: Type.Integer({ description: 'all users of the environment' }),
  counts: Type.Object(
    { attention: Type.Integer(), overrides: Type.Integer() },
    { description: 'users that each filter would list; at most 100' },
  ),
  coverage: Type.Object({ from: timestamp(), step_hours: Type.Integer({ description: 'hours that a bit covers' }) }),
  users: Type.Array(
    Type.Object({
      id: uuid('user'),
      reference: Type.String(),
      timezone: nullable(Type.String()),
      created_at: timestamp(),
      last_data_at: nullable(timestamp()),
      metadata: Type.Object({}, { additionalProperties: Type.String() }),
      devices: Type.Array(
        Type.Object({
          id: uuid('device'),
          number: Type.Integer(),
          provider: Type.String(),
          name: nullable(Type.String()),
          model: nullable(Type.String()),
          transport: oneOfWords(['sdk', 'cloud']),
          device_class: oneOfWords(DEVICE_CLASSES),
          status: Type.String(),
          coverage: nullable(
            Type.String({
              description: 'base64; a bit is set if the device recorded data in these hours, the lowest bit first',
            }),
          ),
        }),
      ),
      scores: Type.Object(Object.fromEntries(LISTED_SCORES.map((type) => [type, week()]))),
      overrides: Type.Integer({ description: 'consolidation settings that differ from the default' }),
      attention: Type.Array(oneOfWords(['reconnect', 'no_data'])),
    }),
  ),
  has_more: Type.Boolean(),
  next_cursor: nullable(Type.String()),
});
