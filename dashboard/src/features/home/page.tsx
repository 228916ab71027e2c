import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLive } from '../../shared/live/use-live.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { calendarDate, clock, longDate } from '../../shared/time/format-time.ts';
import { useNow } from '../../shared/time/use-now.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Failure, Loading, Shape } from '../../shared/ui/states.tsx';
import { Segments } from '../../shared/ui/tabs.tsx';
import styles from './home.module.css';
import { AttentionCard } from './parts/attention-card.tsx';
import { FirstStepsPage } from './parts/first-steps-page.tsx';
import { NewsCard } from './parts/news-card.tsx';
import { PeopleCard } from './parts/people-card.tsx';
import { RiverCard } from './parts/river-card.tsx';
import { Tiles } from './parts/tiles.tsx';
import { type Overview, overviewQuery } from './queries.ts';
import { RANGES, type Range } from './range.ts';
import { useFirstSteps } from './use-first-steps.ts';
import { words } from './words.ts';

const route = getRouteApi('/$environment/home');

export function HomePage() {
  const environment = useEnvironment();
  const { range = 'hour' } = route.useSearch();
  const navigate = route.useNavigate();
  const overview = useQuery(overviewQuery(environment, range));
  const first = useFirstSteps(environment, overview.data);
  const isLive = useLive({});
  const nowMs = useNow();
  if (first.steps !== null) return <FirstStepsPage steps={first.steps} overview={overview.data} onHide={first.hide} />;
  const setRange = (next: Range) =>
    void navigate({ search: next === 'hour' ? {} : { range: next }, replace: true, resetScroll: false });
  return (
    <Page
      title={words.title}
      note={words.note(longDate(calendarDate(nowMs)), clock(nowMs), range, isLive)}
      actions={
        <>
          {first.canShow && (
            <Button kind="ghost" onClick={first.show}>
              {words.show}
            </Button>
          )}
          <Segments
            label={words.range}
            value={range}
            onChange={setRange}
            choices={RANGES.map((value) => ({ value, text: words.ranges[value] }))}
          />
        </>
      }
      isRefreshing={overview.isPlaceholderData}
    >
      {overview.data !== undefined && !first.isPending ? (
        <Body overview={overview.data} range={range} />
      ) : overview.isError ? (
        <Card>
          <Failure error={overview.error} what={words.notLoaded} onRetry={() => void overview.refetch()} />
        </Card>
      ) : (
        <Shapes />
      )}
    </Page>
  );
}

function Body({ overview, range }: { overview: Overview; range: Range }) {
  return (
    <>
      <AttentionCard overview={overview} />
      <RiverCard flow={overview.flow} />
      <Tiles overview={overview} range={range} />
      <div className={styles.two}>
        <NewsCard />
        <PeopleCard />
      </div>
    </>
  );
}

function Shapes() {
  return (
    <Loading>
      <Shape height={132} radius={12} />
      <Shape height={300} radius={12} />
      <div className={styles.tiles}>
        {RANGES.map((range) => (
          <Shape key={range} height={118} radius={12} />
        ))}
        <Shape height={118} radius={12} />
      </div>
    </Loading>
  );
}
