import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { addDays, isDate } from '../../shared/time/dates.ts';
import { calendarDate } from '../../shared/time/format-time.ts';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { useUserHead, useUserId } from '../../shared/user/head.ts';
import styles from './page.module.css';
import { MatrixCard } from './parts/matrix-card.tsx';
import { ScoreCards } from './parts/score-cards.tsx';
import { ScoresShapes } from './parts/scores-shapes.tsx';
import { WaterfallCard } from './parts/waterfall-card.tsx';
import { type Matrix, matrixQuery } from './queries.ts';
import type { ScoresSearch } from './route.tsx';
import { SCORES, words } from './words.ts';

const WEEK = 7;

export function ScoresPage() {
  const selection = useSelection();
  const environment = useEnvironment();
  const matrix = useQuery(matrixQuery(environment, selection.user, selection.date, selection.days));
  useNewestDay(selection, matrix.data);
  useKeys(selection);
  return (
    <Loaded query={matrix} what={words.notLoaded} shapes={<ScoresShapes />}>
      {(data) => {
        const column = data.scores.find(({ type }) => type === selection.score.type);
        return (
          <div className={styles.page} data-refreshing={matrix.isPlaceholderData || undefined}>
            <ScoreCards matrix={data} selection={selection} />
            {column && <WaterfallCard column={column} dates={data.dates} selection={selection} />}
            {column && <MatrixCard column={column} dates={data.dates} selection={selection} />}
          </div>
        );
      }}
    </Loaded>
  );
}

export type Selection = ReturnType<typeof useSelection>;

/** What the address says: user, day, score and how many days the table shows. */
function useSelection() {
  const params = useParams({ strict: false }) as { date?: string; score?: string };
  const { days = WEEK } = useSearch({ strict: false }) as ScoresSearch;
  const navigate = useNavigate();
  const user = useUserId();
  const today = calendarDate(Date.now(), useUserHead().user.timezone ?? 'UTC');
  const score = SCORES.find(({ slug }) => slug === params.score) ?? SCORES[0];
  if (score === undefined) throw new Error('there are no scores');
  const isDated = params.date !== undefined && isDate(params.date);
  const selection = { user, date: isDated ? (params.date as string) : today, days, today, score, isDated };
  const search = days === WEEK ? {} : { days };
  const base = `/${useEnvironment()}/users/${user}/scores`;
  /** Of a day and a score, for a link. */
  const addressOf = (date: string, slug: string = score.slug) => ({ to: `${base}/${date}/${slug}` as '/', search });
  return {
    ...selection,
    addressOf,
    go: (date: string, slug?: string, isReplaced = false) =>
      void navigate({ ...addressOf(date, slug), replace: isReplaced, resetScroll: false }),
    show: (shown: number) =>
      void navigate({
        ...addressOf(selection.date),
        search: shown === WEEK ? {} : { days: shown },
        replace: true,
        resetScroll: false,
      }),
  };
}

/** Without a day in the address, the newest day that has the score is shown. */
function useNewestDay({ isDated, date, score, go }: Selection, matrix: Matrix | undefined): void {
  useEffect(() => {
    if (isDated || matrix === undefined) return;
    const values = matrix.scores.find(({ type }) => type === score.type)?.values ?? [];
    const newest = matrix.dates[values.findLastIndex((value) => value !== null)];
    if (newest !== undefined && newest !== date) go(newest, undefined, true);
  });
}

function useKeys({ date, today, go }: Selection): void {
  useShortcut('ArrowLeft', words.dayBefore, () => go(addDays(date, -1)));
  useShortcut('ArrowRight', words.dayAfter, () => go(addDays(date, 1)), date < today);
  useShortcut('t', 'Today', () => go(today));
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of scores never changes
  for (const [index, { name, slug }] of SCORES.entries()) useShortcut(String(index + 1), name, () => go(date, slug));
}
