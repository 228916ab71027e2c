import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventWords } from '../../../shared/event/event-types.ts';
import { useShortcut } from '../../../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Keycap } from '../../../shared/ui/keycap.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { describeFailure, Shape } from '../../../shared/ui/states.tsx';
import styles from '../deliveries.module.css';
import { describeState } from '../describe-delivery.ts';
import { describeContent } from '../events.ts';
import { deliveryQuery, type InspectedDelivery, useSendAgain } from '../queries.ts';
import { words } from '../words.ts';
import { AttemptDetail } from './attempt-detail.tsx';
import { AttemptLine } from './attempt-line.tsx';
import { whoOf } from './delivery-list.tsx';

type Chosen = {
  /** The number of the attempt in the address; null: the latest. */
  readonly attempt: number | null;
  readonly onAttempt: (attempt: number | null) => void;
  readonly onUser: (user: string) => void;
  readonly canChange: boolean;
};

export function Inspector({ id, ...chosen }: Chosen & { readonly id: string }) {
  const delivery = useQuery(deliveryQuery(useEnvironment(), id));
  return (
    <Card className={styles.inspector}>
      <Loaded query={delivery} what={words.deliveryNotLoaded} shapes={<Shape height={360} radius={8} />}>
        {({ data }) => <Inspected delivery={data} {...chosen} />}
      </Loaded>
    </Card>
  );
}

function Inspected({ delivery, attempt, onAttempt, onUser, canChange }: Chosen & { delivery: InspectedDelivery }) {
  const environment = useEnvironment();
  const state = describeState(delivery);
  const sendAgain = useSendAgain(delivery);
  const send = () => sendAgain.mutate(undefined, { onSuccess: () => onAttempt(null) });
  useShortcut('r', words.sendAgain, send, canChange && !sendAgain.isPending);
  const shown = Math.min(attempt ?? delivery.attempts.length, delivery.attempts.length);
  const { user_id } = delivery;
  return (
    <>
      <header className={styles.head}>
        <div>
          <h2>
            {whoOf(delivery)} · {eventWords(delivery.event_type)}{' '}
            <Pill tone={state.tone} icon={state.icon}>
              {state.text}
            </Pill>
          </h2>
          <p>{describeContent(delivery)}</p>
          {user_id !== null && !delivery.test && (
            <div className={styles.links}>
              <Link to={`/${environment}/users/${user_id}` as '/'}>{words.openUser}</Link>
              <button type="button" className={styles.link} onClick={() => onUser(delivery.reference_id ?? user_id)}>
                {words.onlyThisUser}
              </button>
            </div>
          )}
        </div>
        {canChange && (
          <Button kind="first" icon="retry" isBusy={sendAgain.isPending} onClick={send}>
            {words.sendAgain} <Keycap keys="r" />
          </Button>
        )}
      </header>
      {sendAgain.error && (
        <Callout tone="bad" isAnnounced>
          {describeFailure(sendAgain.error).advice}
        </Callout>
      )}
      <AttemptLine delivery={delivery} shown={shown} onChoose={onAttempt} />
      <AttemptDetail delivery={delivery} number={shown} />
    </>
  );
}
