import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { useLive } from '../../shared/live/use-live.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { calendarDate } from '../../shared/time/format-time.ts';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { lookOf } from '../../shared/user/devices.ts';
import { userKey, useUserHead, useUserId } from '../../shared/user/head.ts';
import { concernsDay } from './concerns-day.ts';
import { addDays } from './dates.ts';
import { DayContext } from './day-context.ts';
import { RiverCard } from './parts/river-card.tsx';
import { RiverShapes, WeekShapes } from './parts/shapes.tsx';
import { ValuesCard } from './parts/values-card.tsx';
import { WeekStrip } from './parts/week-strip.tsx';
import { riverQuery, valuesQuery, weekQuery } from './queries.ts';
import { words } from './words.ts';

export function DayPage() {
  const environment = useEnvironment();
  const userId = useUserId();
  const head = useUserHead();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { date } = useParams({ from: '/$environment/users/$userId/day/$date' });
  const search = useSearch({ from: '/$environment/users/$userId/day/$date' });
  const charts = useMemo(() => (search.charts ?? '').split(',').filter(Boolean), [search.charts]);
  const day = { environment, userId, date };
  const week = useQuery(weekQuery(day));
  const river = useQuery(riverQuery(day, charts));
  const values = useQuery(valuesQuery(day));
  const devices = useMemo(() => lookOf(head.devices), [head.devices]);
  const today = calendarDate(Date.now(), head.user.timezone);

  // Data on screen stays until the newer data has arrived.
  useLive({
    onEvent: (event) => {
      if (concernsDay(event, day)) void client.invalidateQueries({ queryKey: userKey(environment, userId) });
    },
  });

  const open = (target: string, replace = false) =>
    void navigate({
      to: '/$environment/users/$userId/day/$date',
      params: { environment, userId, date: target },
      search,
      replace,
      resetScroll: false,
    });
  const prefetch = (target: string) => {
    const other = { ...day, date: target };
    void client.prefetchQuery(weekQuery(other));
    void client.prefetchQuery(riverQuery(other, charts));
    void client.prefetchQuery(valuesQuery(other));
  };
  const setSearch = (change: typeof search) =>
    void navigate({
      to: '/$environment/users/$userId/day/$date',
      params: { environment, userId, date },
      search: { ...search, ...change },
      replace: true,
      resetScroll: false,
    });
  useShortcut('ArrowLeft', words.previousDay, () => open(addDays(date, -1)));
  useShortcut('ArrowRight', words.nextDay, () => open(addDays(date, 1)), date < today);
  useShortcut('t', words.today, () => open(today));

  const context = useMemo(
    () => ({ devices, head, environment, userId, date }),
    [devices, head, environment, userId, date],
  );
  return (
    <DayContext value={context}>
      <Loaded query={week} what={words.weekNotLoaded} shapes={<WeekShapes />}>
        {({ days }) => <WeekStrip days={days} onHover={prefetch} />}
      </Loaded>
      <Loaded query={river} what={words.riverNotLoaded} shapes={<RiverShapes />}>
        {(reply) => (
          <RiverCard
            reply={reply}
            charts={charts}
            today={today}
            onCharts={(next) => setSearch({ charts: next.join(',') })}
            onMetric={(metric) => setSearch({ metric })}
            onOpen={open}
            onHover={prefetch}
          />
        )}
      </Loaded>
      <Loaded query={values} what={words.valuesNotLoaded}>
        {(reply) => <ValuesCard reply={reply} metric={search.metric} onMetric={(metric) => setSearch({ metric })} />}
      </Loaded>
    </DayContext>
  );
}
