import { useQuery } from '@tanstack/react-query';
import { isApiError } from '../../api/client.ts';
import { useCommandLine } from '../../shared/session/command-line.ts';
import { Callout } from '../../shared/ui/callout.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Code } from '../../shared/ui/code.tsx';
import { Figure, Figures } from '../../shared/ui/figure.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Empty, Shape } from '../../shared/ui/states.tsx';
import { number } from '../../shared/words/numbers.ts';
import { describeService, findDisk } from './describe-service.ts';
import { KeysCard } from './parts/keys-card.tsx';
import { ProcessList } from './parts/process-list.tsx';
import { StageList } from './parts/stage-list.tsx';
import { type ServiceState, serviceQuery } from './queries.ts';
import styles from './service.module.css';
import { formatBytes, words } from './words.ts';

export function ServicePage() {
  const service = useQuery(serviceQuery);
  if (isApiError(service.error, 'insufficient_role')) return <NotForYou />;
  return (
    <Page title={words.title} note={words.note} isRefreshing={service.isRefetching}>
      <Loaded query={service} what={words.notLoaded} shapes={<Shapes />}>
        {(state) => <State state={state} />}
      </Loaded>
    </Page>
  );
}

function State({ state }: { state: ServiceState }) {
  const verdict = describeService(state);
  const disk = findDisk(state);
  const alive = state.processes.filter(({ is_alive }) => is_alive);
  const failed = state.jobs_given_up.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={styles.page}>
      <Callout tone={verdict.tone}>
        <b>{verdict.tone === 'warn' ? words.states.degraded : words.states[state.readiness.status]}.</b> {verdict.text}
      </Callout>
      <Figures>
        <Figure
          label={words.running}
          value={number(alive.length)}
          note={words.versions([...new Set(alive.map(({ version }) => version))])}
        />
        <Figure
          label={words.database}
          value={formatBytes(state.database.bytes)}
          note={words.postgres(state.database.version)}
        />
        <Figure
          label={words.disk}
          value={disk === null ? words.unknown : formatBytes(disk.free)}
          note={disk && words.diskOf(formatBytes(disk.total))}
        />
        <Figure
          label={words.jobsGivenUp}
          value={failed === 0 ? words.none : number(failed)}
          note={failed > 0 && words.removedAfter}
          isBad={failed > 0}
        />
      </Figures>
      <StageList stages={state.stages} />
      <ProcessList processes={state.processes} />
      <KeysCard state={state} />
    </div>
  );
}

function NotForYou() {
  const commandLine = useCommandLine();
  return (
    <Page title={words.title}>
      <Card>
        <Empty title={words.operatorsOnly}>
          <p>{words.operatorsAdvice}</p>
          <Code value={commandLine('members operator you@example.org --grant')} label={words.operatorsAdvice} />
        </Empty>
      </Card>
    </Page>
  );
}

function Shapes() {
  return (
    <div className={styles.page}>
      <Shape height={46} radius={12} />
      <Shape height={84} radius={12} />
      <Shape height={300} radius={12} />
      <Shape height={130} radius={12} />
    </div>
  );
}
