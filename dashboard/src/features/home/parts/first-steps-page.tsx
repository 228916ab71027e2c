import { useState } from 'react';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { FORWARD_EVENTS, useCommandLine } from '../../../shared/session/command-line.ts';
import { calendarDaysAgo, readerZone } from '../../../shared/time/format-time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import styles from '../first-steps.module.css';
import { commandOf, type FirstStep, isDone, nextStep, STEPS } from '../first-steps.ts';
import type { FirstSteps, Overview } from '../queries.ts';
import { words } from '../words.ts';
import { AttentionCard } from './attention-card.tsx';
import { CallsCard } from './calls-card.tsx';
import { FirstUserCard } from './first-user-card.tsx';
import { HeardCall } from './heard-call.tsx';
import { KeyStep } from './key-step.tsx';
import { NewsCard } from './news-card.tsx';
import { ProviderStep } from './provider-step.tsx';
import { StepItem } from './step-item.tsx';

type Props = { readonly steps: FirstSteps; readonly overview: Overview | undefined; readonly onHide: () => void };

/** Five lines to run; each is ticked by what the service has seen. */
export function FirstStepsPage({ steps, overview, onHide }: Props) {
  const next = nextStep(steps);
  return (
    <Page
      title={words.stepsTitle}
      note={words.stepsNote}
      actions={next !== null && <Button onClick={onHide}>{words.hide}</Button>}
    >
      {overview !== undefined && overview.attention.length > 0 && <AttentionCard overview={overview} />}
      {next === null && (
        <Callout
          tone="good"
          isAnnounced
          actions={
            <Button kind="first" onClick={onHide}>
              {words.continue}
            </Button>
          }
        >
          {words.allDone}
        </Callout>
      )}
      <div className={styles.columns}>
        <Steps steps={steps} next={next} />
        <aside className={styles.side}>
          <CallsCard />
          {steps.first_user && <FirstUserCard />}
          <NewsCard />
        </aside>
      </div>
    </Page>
  );
}

function Steps({ steps, next }: { steps: FirstSteps; next: FirstStep | null }) {
  const environment = useEnvironment();
  const commandLine = useCommandLine();
  const [key, setKey] = useState<string | null>(null);
  const command = (step: Exclude<FirstStep, 'connect'>) =>
    commandOf(step, {
      origin: window.location.origin,
      environment,
      key,
      lastFour: steps.key?.last_four ?? null,
      userId: steps.first_user?.id ?? null,
      date: calendarDaysAgo(1),
      zone: readerZone(),
      forwardCommand: commandLine(FORWARD_EVENTS),
    });
  const bodies: Readonly<Record<FirstStep, React.ReactNode>> = {
    key: <KeyStep command={command('key')} isNew={key !== null} isUsed={isDone('key', steps)} onCreate={setKey} />,
    user: (
      <>
        <Code value={command('user')} label={words.commandOf.user} />
        <HeardCall call={steps.created} isNext={next === 'user' || next === 'key'} />
      </>
    ),
    explain: (
      <>
        <Code value={command('explain')} label={words.commandOf.explain} />
        <HeardCall
          call={steps.explained}
          isNext={next === 'explain'}
          path={steps.first_user ? `users/${steps.first_user.id}` : null}
        />
      </>
    ),
    listen: <Code value={command('listen')} label={words.commandOf.listen} />,
    connect: <ProviderStep userId={steps.first_user?.id ?? null} />,
  };
  return (
    <ol className={styles.steps}>
      {STEPS.map((step, index) => (
        <StepItem
          key={step}
          number={index + 1}
          title={step === 'key' ? words.steps.key(environment) : words.steps[step]}
          note={step === 'key' && key !== null ? words.newKeyNotes[environment] : words.stepNotes[step][environment]}
          isDone={isDone(step, steps)}
          isNext={step === next}
        >
          {bodies[step]}
        </StepItem>
      ))}
    </ol>
  );
}
