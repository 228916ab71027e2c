import { useQuery } from '@tanstack/react-query';
import { Bars } from '../../../shared/chart/bars.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Shape } from '../../../shared/ui/states.tsx';
import styles from '../events.module.css';
import { rateQuery } from '../queries.ts';
import { words } from '../words.ts';

/** Beside the list: without it the page works as well, so a failure shows nothing. */
export function RateCard() {
  const { data, isError } = useQuery(rateQuery(useEnvironment()));
  if (isError && data === undefined) return null;
  return (
    <Card className={styles.rate}>
      {data ? (
        <Bars
          counts={data.series.events.n}
          label={words.rateLabel(data.series.events.n.reduce((sum, count) => sum + count, 0))}
        />
      ) : (
        <Shape height={30} />
      )}
      <small>{words.rate}</small>
    </Card>
  );
}
