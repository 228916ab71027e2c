// Response schemas of the catalogs.

import { CATEGORIES } from '../../../domain/metrics/categories.ts';
import { VALUE_KINDS } from '../../../domain/metrics/index.ts';
import { oneOfWords } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { limitFields } from '../../store/devices/index.ts';

export const metricsReply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          display_name: Type.String(),
          category: oneOfWords(CATEGORIES, { title: 'MetricCategory' }),
          unit: Type.String(),
          imperial_unit: Type.String(),
          kind: oneOfWords(VALUE_KINDS, { description: "how a device's samples become its daily value" }),
          description: Type.String(),
          daily: oneOfWords(['yes', 'score'], { description: '`score`: read it from the scores endpoints' }),
          timeseries: oneOfWords(['public', 'stored', 'no'], {
            description:
              '`no`: uploads may contain its samples, but only its daily values can be read. The timeseries endpoint returns those of all other metrics',
          }),
          accepted_units: Type.Array(Type.String(), { description: 'units that uploads may use' }),
        },
        { title: 'Metric' },
      ),
    ),
  },
  { title: 'MetricList' },
);

export const providersReply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          provider: Type.String(),
          display_name: Type.String(),
          auth: oneOfWords(['oauth2']),
          device_class: Type.String(),
          categories: Type.Array(Type.String()),
          metrics: Type.Array(Type.String()),
          push: Type.Boolean(),
          history_days: Type.Integer(),
          configured: Type.Boolean(),
          ...limitFields,
          logo_url: Type.String(),
        },
        { title: 'Provider' },
      ),
    ),
  },
  { title: 'ProviderList' },
);
