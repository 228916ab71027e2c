// Request and response schemas of consolidation: the catalog, a user's configuration and its changes.

import { METHODS } from '../../../domain/metrics/index.ts';
import { nullable, oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

const KINDS = ['metric', 'group'] as const;
const method = (description?: string) => oneOfWords(METHODS, description ? { description } : {});

export const catalogReply = Type.Object({
  category_order: Type.Array(Type.String()),
  metrics: Type.Array(
    Type.Object({
      key: Type.String(),
      display_name: Type.String(),
      category: Type.String(),
      kind: oneOfWords(KINDS),
      default_method: method(),
      allowed_methods: Type.Array(method()),
      members: Type.Array(Type.String(), { description: 'the metrics that this key configures' }),
    }),
  ),
});

const providerState = Type.Object({ provider: Type.String(), enabled: Type.Boolean() });

export const configuration = Type.Object({
  providers: Type.Array(providerState, { description: 'the connected providers' }),
  metrics: Type.Array(
    Type.Object({
      key: Type.String(),
      category: Type.String(),
      default_method: method(),
      method: method('the effective method'),
      overridden: Type.Boolean({ description: 'whether the method differs from the default' }),
      providers: Type.Array(providerState, {
        description: 'effective state: false if the provider is disabled for this key or for all keys',
      }),
    }),
  ),
});

export const changeReply = Type.Object({
  status: oneOfWords(['reconsolidating', 'unchanged'] as const),
  configuration,
});

export const previewReply = Type.Object({
  changes: Type.Array(
    Type.Object({
      metric: Type.String(),
      date: Type.String({ format: 'date' }),
      from: nullable(Type.Number()),
      to: nullable(Type.Number()),
    }),
    { description: 'by date, then in the order of the catalog; at most 1,000' },
  ),
  days_changed: Type.Integer(),
  truncated: Type.Boolean(),
});

const MAX_KEYS = 100; // the catalog has 61
const MAX_PROVIDERS = 32; // twice the number of providers

const switches = (description: string) =>
  Type.Optional(Type.Dictionary(Type.Boolean(), { description, maxProperties: MAX_PROVIDERS }));

export const changeBody = requestObject({
  metrics: Type.Optional(
    Type.Dictionary(
      requestObject({
        method: Type.Optional(nullable(method('null restores the default method'))),
        providers: switches('provider → enabled (true/false) for this key'),
      }),
      { description: 'keys of GET /v1/consolidation/catalog', maxProperties: MAX_KEYS },
    ),
  ),
  providers: switches('provider → enabled (true/false) for all keys'),
});

export const changeQuery = requestObject({
  preview: Type.Optional(Type.Boolean({ description: 'true: store nothing and return what would change (200)' })),
});
