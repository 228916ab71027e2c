// The editor of a user's consolidation in the API of the dashboard. Pure.
import { RANK_REASONS } from '../../../domain/consolidate/ranking.ts';
import { METHODS, type Metric } from '../../../domain/metrics/index.ts';
import { presentValue } from '../../../domain/metrics/present-value.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { nullable, oneOfWords } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { DayColumn } from '../../store/daily-store/index.ts';
import { lastChange, presentChange } from './read-changes.ts';
import { type Editor, readWeekOf } from './read-editor.ts';

const providers = Type.Array(Type.Object({ provider: Type.String(), enabled: Type.Boolean() }));

export const editorReply = Type.Object({
  zone: Type.String({ description: "the user's time zone" }),
  dates: Type.Array(Type.String({ format: 'date' }), { description: 'the week that ends today, oldest first' }),
  providers,
  keys: Type.Array(
    Type.Object({
      key: Type.String(),
      name: Type.String(),
      kind: oneOfWords(['metric', 'group'] as const),
      category: Type.String(),
      default_method: oneOfWords(METHODS),
      method: oneOfWords(METHODS, { description: 'the effective method' }),
      allowed_methods: Type.Array(oneOfWords(METHODS)),
      changed: Type.Boolean({ description: 'a method is set, or a provider is disabled for this key' }),
      overridden: Type.Boolean({ description: 'a method is set, even if it equals the default' }),
      last_change: lastChange,
      differs: Type.Boolean({ description: 'two devices have had different values on the same day' }),
      providers,
      sources: Type.Array(
        Type.Object({
          device: Type.Integer({ description: 'the number of the device' }),
          rank_reason: oneOfWords(RANK_REASONS),
          class_rank: Type.Integer({ description: 'rank of the device class for this metric; 0: not listed' }),
        }),
        { description: 'devices with recent values, highest rank first' },
      ),
      metrics: Type.Array(
        Type.Object({
          metric: Type.String(),
          name: Type.String(),
          unit: Type.String(),
          decimals: Type.Integer(),
          values: Type.Array(nullable(Type.Number()), { description: 'one per date' }),
        }),
      ),
    }),
  ),
});

export function presentEditor({ zone, dates, configuration, keys }: Editor) {
  const stateOf = new Map(configuration.metrics.map((one) => [one.key, one]));
  return {
    zone,
    dates: [...dates],
    providers: configuration.providers,
    keys: keys.map(({ key, isChanged, lastChange: change, sources, differs, valuesOf }) => {
      const state = stateOf.get(key.key);
      return {
        key: key.key,
        name: key.displayName,
        kind: key.kind,
        category: state?.category ?? '',
        default_method: key.defaultMethod,
        method: state?.method ?? key.defaultMethod,
        allowed_methods: [...key.allowedMethods],
        changed: isChanged,
        overridden: state?.overridden ?? false,
        last_change: presentChange(change),
        differs,
        providers: state?.providers ?? [],
        sources: sources.map(({ device, rankReason, classRank }) => ({
          device: device.number,
          rank_reason: rankReason,
          class_rank: classRank,
        })),
        metrics: key.metrics.map((metric, index) => presentMetric(metric, valuesOf[index], dates)),
      };
    }),
  };
}

function presentMetric(metric: Metric, valueOn: DayColumn | undefined, dates: readonly LocalDate[]) {
  const values = valueOn ? readWeekOf(valueOn, dates) : dates.map(() => null);
  return {
    metric: metric.id,
    name: metric.displayName,
    unit: metric.unit,
    decimals: metric.decimals,
    values: values.map((value) => (value === null ? null : presentValue(metric, value, 'metric').value)),
  };
}
