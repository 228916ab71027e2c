// Request and response schemas of consolidation: the catalog, a user's configuration and its changes.

import { METHODS } from '../../../domain/metrics/index.ts';
import { SCORE_TYPES } from '../../../domain/scores/index.ts';
import { nullable, oneOfWords, requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { UNCHANGED_REASONS } from './unchanged-reason.ts';

const KINDS = ['metric', 'group'] as const;
const method = (description?: string) =>
  oneOfWords(METHODS, { title: 'ConsolidationMethod', ...(description && { description }) });

export const catalogReply = Type.Object(
  {
    category_order: Type.Array(Type.String()),
    metrics: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          display_name: Type.String(),
          category: Type.String(),
          kind: oneOfWords(KINDS),
          default_method: method(),
          allowed_methods: Type.Array(method()),
          members: Type.Array(Type.String(), { description: 'the metrics that this key configures' }),
        },
        { title: 'ConsolidationKey' },
      ),
    ),
  },
  { title: 'ConsolidationCatalog' },
);

const providerState = Type.Object({ provider: Type.String(), enabled: Type.Boolean() }, { title: 'ProviderSwitch' });

export const configuration = Type.Object(
  {
    providers: Type.Array(providerState, { description: 'the connected providers' }),
    metrics: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          category: Type.String(),
          default_method: method(),
          method: method('the effective method'),
          overridden: Type.Boolean({ description: 'a method is set, even if it equals the default' }),
          providers: Type.Array(providerState, {
            description: 'effective state: false if the provider is disabled for this key or for all keys',
          }),
        },
        { title: 'ConsolidationSetting' },
      ),
    ),
  },
  { title: 'ConsolidationConfiguration' },
);

export const changeReply = Type.Object(
  {
    status: oneOfWords(['reconsolidating', 'unchanged'] as const),
    configuration,
  },
  { title: 'ConsolidationChange' },
);

export const previewReply = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          metric: Type.String(),
          date: Type.String({ format: 'date' }),
          from: nullable(Type.Number()),
          to: nullable(Type.Number()),
        },
        { title: 'DailyValueChange' },
      ),
      {
        description:
          'by date, then in the order of the catalog; at most 1,000. Metrics that are computed together with the scores are included only with `scores=true`, for the last 30 days',
      },
    ),
    days_changed: Type.Integer(),
    truncated: Type.Boolean(),
    reason: Type.Optional(
      nullable(
        oneOfWords(UNCHANGED_REASONS, {
          description:
            'with `scores=true`: why nothing would change: the settings are in force already, there is no data, only one device or only one provider has data, or all values are the same; null: something would change',
        }),
      ),
    ),
    scores: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: oneOfWords(SCORE_TYPES, { title: 'ScoreType' }),
            date: Type.String({ format: 'date' }),
            from: nullable(Type.Number()),
            to: nullable(Type.Number()),
          },
          { title: 'ScoreChange' },
        ),
        { description: 'with `scores=true`: the scores of the last 30 days that would change, by date' },
      ),
    ),
  },
  { title: 'ConsolidationPreview' },
);

const MAX_KEYS = 100; // the catalog has 61
const MAX_PROVIDERS = 32; // twice the number of providers

const switches = (description: string) =>
  Type.Optional(Type.Dictionary(Type.Boolean(), { description, maxProperties: MAX_PROVIDERS }));

export const changeBody = requestObject({
  metrics: Type.Optional(
    Type.Dictionary(
      requestObject(
        {
          method: Type.Optional(nullable(method('null restores the default method'))),
          providers: switches('provider → enabled (true/false) for this key'),
        },
        { title: 'ConsolidationOverride' },
      ),
      { description: 'keys of GET /v1/consolidation/catalog', maxProperties: MAX_KEYS },
    ),
  ),
  providers: switches('provider → enabled (true/false) for all keys'),
});

export const changeQuery = requestObject({
  preview: withDefault(Type.Boolean({ description: 'true: store nothing and return what would change (200)' }), false),
  scores: withDefault(
    Type.Boolean({
      description:
        'true, with `preview`: also the scores of the last 30 days that would change, and the metrics computed with them',
    }),
    false,
  ),
});
