import { useQuery, useQueryClient } from '@tanstack/react-query';
import { describeEvent, type LatestEvent, nameOfUser, timeOfEvent } from '../../../shared/event/describe-event.ts';
import { EventMark } from '../../../shared/event/event-mark.tsx';
import { eventWords } from '../../../shared/event/event-types.ts';
import { useLive } from '../../../shared/live/use-live.ts';
import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { dateTime } from '../../../shared/time/format-time.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { addNews } from '../add-news.ts';
import styles from '../home.module.css';
import { newsQuery } from '../queries.ts';
import { words } from '../words.ts';

/** The newest events, as they happen. */
export function NewsCard() {
  const environment = useEnvironment();
  const query = newsQuery(environment);
  const news = useQuery(query);
  const queries = useQueryClient();
  useLive({
    onEvent: (event) =>
      void queries.setQueryData(query.queryKey, (old) => old && { ...old, data: addNews(old.data, event) }),
  });
  return (
    <Card isFlush title={words.justNow} actions={<EnvironmentLink path="events">{words.allEvents}</EnvironmentLink>}>
      <Loaded query={news} what={words.eventsFailed}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={styles.nothing}>{words.noEvents}</p>
          ) : (
            <ul className={styles.news}>
              {data.map((event) => (
                <NewsItem key={event.id} event={event} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function NewsItem({ event }: { event: LatestEvent }) {
  return (
    <li>
      <time dateTime={event.at} title={dateTime(event.at)}>
        {timeOfEvent(event.at)}
      </time>
      <EventMark type={event.type} />
      <span className={styles.sentence}>
        <span>
          <EnvironmentLink path={`users/${event.user_id}`}>{nameOfUser(event)}</EnvironmentLink>{' '}
          {eventWords(event.type)}
        </span>
        <small>{describeEvent(event)}</small>
      </span>
    </li>
  );
}
