import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole, useSession } from '../../shared/session/session.ts';
import { Button, buttonClass } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Empty } from '../../shared/ui/states.tsx';
import { FaultsCard } from './parts/faults-card.tsx';
import { PersonDialog } from './parts/person-dialog.tsx';
import { RunCard } from './parts/run-card.tsx';
import styles from './scenarios.module.css';
import { words } from './words.ts';

export function ScenariosPage() {
  const environment = useEnvironment();
  if (environment === 'live') return <OnlyInSandbox />;
  return <Scenarios />;
}

function Scenarios() {
  const { open, user } = useSearch({ from: '/$environment/scenarios' });
  const navigate = useNavigate({ from: '/$environment/scenarios' });
  const session = useSession();
  const canRun = useHasRole('developer');
  const show = (dialog: 'person' | 'fault' | null) =>
    void navigate({ search: { ...(user !== undefined && { user }), ...(dialog !== null && { open: dialog }) } });
  return (
    <Page
      title={words.title}
      note={words.note}
      actions={
        canRun && (
          <Button icon="plus" onClick={() => show('person')}>
            {words.newPerson}
          </Button>
        )
      }
    >
      {session && !canRun && <p className={styles.note}>{words.viewersCannot}</p>}
      <RunCard
        canRun={canRun}
        userId={user ?? null}
        onChoose={(id) => void navigate({ search: { user: id }, replace: true })}
        onNewPerson={() => show('person')}
      />
      <FaultsCard canChange={canRun} isAdding={open === 'fault'} onAdd={(isOpen) => show(isOpen ? 'fault' : null)} />
      {open === 'person' && canRun && <PersonDialog onClose={() => show(null)} />}
    </Page>
  );
}

function OnlyInSandbox() {
  return (
    <Page title={words.title}>
      <Card>
        <Empty
          title={words.liveOnly}
          action={
            <Link
              to="/$environment/scenarios"
              params={{ environment: 'sandbox' }}
              search={{}}
              className={buttonClass('first')}
            >
              {words.toSandbox}
            </Link>
          }
        >
          {words.liveAdvice}
        </Empty>
      </Card>
    </Page>
  );
}
