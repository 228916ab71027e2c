import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { useLive } from '../../shared/live/use-live.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { addDays } from '../../shared/time/dates.ts';
import { calendarDate } from '../../shared/time/format-time.ts';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Shape } from '../../shared/ui/states.tsx';
import { lookOf } from '../../shared/user/devices.ts';
import { userKey, useUserHead, useUserId } from '../../shared/user/head.ts';
import { concernsDay } from './concerns-day.ts';
import { DateContext, UserContext } from './day-context.ts';
import { RiverCard } from './parts/river-card.tsx';
import { ValuesCard } from './parts/values-card.tsx';
import { WeekStrip } from './parts/week-strip.tsx';
import { riverQuery, valuesQuery, weekQuery } from './queries.ts';
import { words } from './words.ts';

const PATH = '/$environment/users/$userId/day/$date';
const WEEK_SHAPE = <Shape height={84} radius={12} />;
const RIVER_SHAPE = <Shape height={520} radius={12} />;

export function DayPage() {
  const environment = useEnvironment();
  const userId = useUserId();
  const head = useUserHead();
  const client = useQueryClient();
  const { date } = useParams({ from: PATH });
  const { metric, charts: named } = useSearch({ from: PATH });
  const charts = useMemo(() => (named ?? '').split(',').filter(Boolean), [named]);
  const query = new URLSearchParams({ ...(metric && { metric }), ...(named && { charts: named }) }).toString();
  const search = query && `?${query}`;
  const day = { environment, userId, date };
  const today = calendarDate(Date.now(), head.user.timezone);
  const { open, setMetric, setCharts } = useAddress();

  // Data on screen stays until the newer data has arrived.
  useLive({
    onEvent: (event) => {
      if (concernsDay(event, day)) void client.invalidateQueries({ queryKey: userKey(environment, userId) });
    },
  });
  const prefetch = useCallback(
    (target: string) => {
      const other = { environment, userId, date: target };
      void client.prefetchQuery(weekQuery(other));
      void client.prefetchQuery(riverQuery(other, charts));
      void client.prefetchQuery(valuesQuery(other));
    },
    [client, environment, userId, charts],
  );
  useShortcut('ArrowLeft', words.previousDay, () => open(addDays(date, -1)));
  useShortcut('ArrowRight', words.nextDay, () => open(addDays(date, 1)), date < today);
  useShortcut('t', words.today, () => open(today));

  const week = useQuery(weekQuery(day));
  const river = useQuery(riverQuery(day, charts));
  const values = useQuery(valuesQuery(day));
  const viewed = useMemo(
    () => ({ devices: lookOf(head.devices), head, environment, userId }),
    [head, environment, userId],
  );
  return (
    <UserContext value={viewed}>
      <DateContext value={date}>
        <Loaded query={week} what={words.weekNotLoaded} shapes={WEEK_SHAPE}>
          {({ days }) => <WeekStrip days={days} search={search} onOpen={open} onHover={prefetch} />}
        </Loaded>
        <Loaded query={river} what={words.riverNotLoaded} shapes={RIVER_SHAPE}>
          {(reply) => (
            <RiverCard
              reply={reply}
              charts={charts}
              today={today}
              onCharts={setCharts}
              onMetric={setMetric}
              onOpen={open}
              onHover={prefetch}
            />
          )}
        </Loaded>
        <Loaded query={values} what={words.valuesNotLoaded}>
          {(reply) => <ValuesCard reply={reply} metric={metric} onMetric={setMetric} />}
        </Loaded>
      </DateContext>
    </UserContext>
  );
}

/** Changes of the address. The functions stay the same, so that a part is drawn again only if its data is new. */
function useAddress() {
  const navigate = useNavigate({ from: PATH });
  return useMemo(
    () => ({
      open: (date: string) =>
        void navigate({
          to: PATH,
          params: (known) => ({ ...known, date }),
          search: (known) => known,
          resetScroll: false,
        }),
      setMetric: (metric: string) =>
        void navigate({ to: PATH, search: (known) => ({ ...known, metric }), replace: true, resetScroll: false }),
      setCharts: (charts: readonly string[]) =>
        void navigate({
          to: PATH,
          search: (known) => ({ ...known, charts: charts.join(',') }),
          replace: true,
          resetScroll: false,
        }),
    }),
    [navigate],
  );
}
