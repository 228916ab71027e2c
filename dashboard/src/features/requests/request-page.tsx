import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { dateTime, readerZone } from '../../shared/time/format-time.ts';
import { buttonClass } from '../../shared/ui/button.tsx';
import { Callout } from '../../shared/ui/callout.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Code } from '../../shared/ui/code.tsx';
import { Copy } from '../../shared/ui/copy.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Pill } from '../../shared/ui/pill.tsx';
import { Shape } from '../../shared/ui/states.tsx';
import { shortPath, toneOf, writeCall } from './describe-request.ts';
import { RequestFacts } from './parts/request-facts.tsx';
import { RequestList } from './parts/request-list.tsx';
import { type RequestDetail, requestQuery } from './queries.ts';
import styles from './requests.module.css';
import { words } from './words.ts';

const route = getRouteApi('/$environment/requests/$requestId');

export function RequestPage() {
  const environment = useEnvironment();
  const { requestId } = route.useParams();
  const detail = useQuery(requestQuery(environment, requestId));
  const request = detail.data?.data;
  return (
    <Page
      title={request ? `${request.method} ${shortPath(request)}` : words.request}
      crumbs={
        <Link to="/$environment/requests" params={{ environment }}>
          {words.title}
        </Link>
      }
      note={
        <span className={styles.head}>
          {request && <Pill tone={toneOf(request.status)}>{request.status}</Pill>}
          {request && <span>{words.ms(request.ms)}</span>}
          {request && <time dateTime={request.at}>{`${dateTime(request.at)}, ${readerZone()}`}</time>}
          <code>{requestId}</code>
          <Copy text={requestId} what={words.copyId} />
        </span>
      }
    >
      <Loaded query={detail} what={words.requestNotLoaded} shapes={<Shape height={240} radius={12} />}>
        {(data) => <Body detail={data} />}
      </Loaded>
    </Page>
  );
}

function Body({ detail: { data, explanation, neighbours } }: { detail: RequestDetail }) {
  const environment = useEnvironment();
  return (
    <>
      {data.error !== null && (
        <Callout
          tone={data.status >= 500 ? 'bad' : 'warn'}
          actions={
            <>
              <Link
                to="/$environment/requests"
                params={{ environment }}
                search={{ error: data.error }}
                className={buttonClass()}
              >
                {words.sameError}
              </Link>
              <a className={buttonClass()} href={`/docs/errors#${data.error}`} target="_blank" rel="noreferrer">
                {words.errorDocs}
              </a>
            </>
          }
        >
          <b>
            <code>{data.error}</code>
          </b>{' '}
          {explanation?.message} {explanation && words.happens(explanation.when)}
        </Callout>
      )}
      <div className={styles.columns}>
        <Card title={words.facts}>
          <RequestFacts request={data} />
        </Card>
        <Card title={words.again}>
          <div className={styles.again}>
            <Code value={writeCall(data, window.location.origin)} label={words.curl} />
            <p>{words.againNote}</p>
          </div>
        </Card>
      </div>
      {data.user_id !== null && (
        <Card title={words.neighbours} isFlush>
          {neighbours.length === 0 ? (
            <p className={styles.none}>{words.noNeighbours}</p>
          ) : (
            <RequestList label={words.neighbours} rows={neighbours} csv={{ name: `requests-${data.id}.csv` }} />
          )}
        </Card>
      )}
    </>
  );
}
