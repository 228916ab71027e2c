import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { isDate } from '../../shared/time/dates.ts';
import { calendarDate } from '../../shared/time/format-time.ts';
import { useUserHead, useUserId } from '../../shared/user/head.ts';
import { SCORES } from './words.ts';

export type ScoresSearch = { readonly days?: 7 | 28 | 90 };

const WEEK = 7;

export type Selection = ReturnType<typeof useSelection>;

/** What the address says: user, day, score and how many days the table shows. */
export function useSelection() {
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
