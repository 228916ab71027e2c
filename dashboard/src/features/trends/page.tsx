import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useMemo, useState } from 'react';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { calendarDaysAgo } from '../../shared/time/format-time.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Empty, Shape } from '../../shared/ui/states.tsx';
import { Chips, Segments } from '../../shared/ui/tabs.tsx';
import { useUserHead, useUserId } from '../../shared/user/head.ts';
import { findFirstDay, listMetrics } from './list-metrics.ts';
import styles from './page.module.css';
import { SamplesCard } from './parts/samples-card.tsx';
import { TrendTile } from './parts/trend-tile.tsx';
import { type Daily, dailyQuery, type Metric, metricsQuery, sourcesQuery } from './queries.ts';
import { RANGES, type TrendsSearch } from './search.ts';
import { words } from './words.ts';

const DEFAULT_DAYS = 28;
const NO_METRICS: readonly Metric[] = [];
const FEW = 12; // fills three rows; the rest on request

export function TrendsPage() {
  const search = useSearch({ strict: false }) as TrendsSearch;
  const change = useChange();
  const environment = useEnvironment();
  const user = useUserId();
  const zone = useUserHead().user.timezone ?? 'UTC';
  const days = search.days ?? DEFAULT_DAYS;
  const range = {
    from_date: calendarDaysAgo(days - 1, zone),
    to_date: calendarDaysAgo(0, zone),
  };
  const catalog = useQuery(metricsQuery(environment)).data?.data ?? NO_METRICS;
  const daily = useQuery(dailyQuery(environment, user, range));
  const [isWhole, setWhole] = useState(false);
  const { category, q } = search;
  const { categories, metrics } = useMemo(
    () => listMetrics(catalog, daily.data, { ...(category && { category }), ...(q && { q }) }),
    [catalog, daily.data, category, q],
  );
  const shown = useMemo(() => (isWhole ? metrics : metrics.slice(0, FEW)), [metrics, isWhole]);
  const sources = useQuery(
    sourcesQuery(
      environment,
      user,
      range,
      shown.map(({ id }) => id),
    ),
  ).data;
  return (
    <div className={styles.page}>
      <div className={styles.toolbar}>
        <Segments
          label={words.range}
          value={String(days)}
          choices={RANGES.map((value) => ({ value: String(value), text: words.days(value) }))}
          onChange={(value) => change({ ...search, days: Number(value) as TrendsSearch['days'] & number })}
        />
        <Chips
          label={words.categories}
          value={search.category ?? ''}
          choices={[
            { value: '', text: words.all },
            ...categories.map((value) => ({ value, text: value.replaceAll('_', ' ') })),
          ]}
          onChange={(category) => change({ ...search, category })}
        />
        <div className={styles.find}>
          <Field
            label={words.search}
            isLabelHidden
            icon="search"
            type="search"
            placeholder={words.search}
            value={search.q ?? ''}
            onChange={(event) => change({ ...search, q: event.target.value })}
          />
        </div>
      </div>
      <Loaded query={daily} what={words.notLoaded} shapes={<TileShapes />}>
        {(data) => (
          <>
            {shown.length === 0 ? (
              <Card>
                <Empty title={search.q || search.category ? words.noMatch : words.none}>{words.noneNote}</Empty>
              </Card>
            ) : (
              <Tiles metrics={shown} data={data} sources={sources} isRefreshing={daily.isPlaceholderData} />
            )}
            {metrics.length > shown.length && (
              <div>
                <Button onClick={() => setWhole(true)}>{words.more(metrics.length - shown.length)}</Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      <SamplesCard catalog={catalog} days={days} zone={zone} search={search} onChange={change} />
    </div>
  );
}

type TilesProps = {
  readonly metrics: readonly Metric[];
  readonly data: Daily;
  readonly sources: Daily | undefined;
  readonly isRefreshing: boolean;
};

/** Not drawn again while somebody zooms into the samples below. */
const Tiles = memo(function Tiles({ metrics, data, sources, isRefreshing }: TilesProps) {
  const first = findFirstDay(data);
  const hasSources = sources?.dates.length === data.dates.length;
  return (
    <div className={styles.tiles} data-refreshing={isRefreshing || undefined}>
      {metrics.map((metric) => (
        <TrendTile
          key={metric.id}
          metric={metric}
          dates={data.dates.slice(first)}
          values={(data.series[metric.id] ?? []).slice(first)}
          sources={hasSources ? sources.sources?.[metric.id]?.slice(first) : undefined}
        />
      ))}
    </div>
  );
});

function TileShapes() {
  return (
    <div className={styles.tiles}>
      {['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => (
        <Shape key={name} height={128} radius={12} />
      ))}
    </div>
  );
}

/** The address has the state of the page, without an entry in the history for each letter or move. */
function useChange() {
  const navigate = useNavigate();
  return (next: TrendsSearch) => {
    const kept = Object.entries(next).filter(([, value]) => value !== '' && value !== undefined);
    void navigate({ to: '.' as '/', search: Object.fromEntries(kept) as never, replace: true, resetScroll: false });
  };
}
