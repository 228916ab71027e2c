import { useState } from 'react';
import { useNow } from '../../../shared/time/use-now.ts';
import { Button, IconButton } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { DangerDialog } from '../../../shared/ui/danger-dialog.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { describeFailure } from '../../../shared/ui/states.tsx';
import { DeviceMark } from '../../../shared/user/device-mark.tsx';
import { lookOf } from '../../../shared/user/devices.ts';
import { useUserHead } from '../../../shared/user/head.ts';
import styles from '../connections.module.css';
import { describeState, nameOf, needsLink, originOf } from '../describe-connection.ts';
import { layOutHistory } from '../history.ts';
import { type Connection, useRemoveDevice, useSync } from '../queries.ts';
import { words } from '../words.ts';
import { HistoryBars } from './history-bars.tsx';
import { Timeline } from './timeline.tsx';

type Props = {
  readonly connection: Connection;
  readonly zone: string;
  readonly canChange: boolean;
  readonly onConnect: (provider: string) => void;
};

export function ConnectionCard({ connection, zone, canChange, onConnect }: Props) {
  const nowMs = useNow(1_000);
  const [isRemoving, setRemoving] = useState(false);
  const state = describeState(connection);
  const colour = useColour(connection);
  const history = layOutHistory(connection, nowMs);
  const name = nameOf(connection);
  return (
    <Card
      title={
        <span className={styles.name}>
          <DeviceMark device={{ deviceClass: connection.device_class ?? 'app', ...colour }} size={19} />
          {name}
        </span>
      }
      badge={
        <>
          <Pill tone={state.tone} {...(state.icon && { icon: state.icon })}>
            {state.text}
          </Pill>
          <span className={styles.note}>{originOf(connection)}</span>
        </>
      }
      actions={
        canChange && (
          <>
            <CardAction connection={connection} onConnect={onConnect} />
            <IconButton icon="trash" label={words.removeTitle(name)} hasEdge onClick={() => setRemoving(true)} />
          </>
        )
      }
    >
      {connection.merged_into !== null && <p className={styles.note}>{words.merged}</p>}
      {history !== null && (
        <HistoryBars model={history} colour={colour.colour} fromDate={connection.backfill.from_date} />
      )}
      <Timeline connection={connection} nowMs={nowMs} zone={zone} />
      {isRemoving && <RemoveDialog connection={connection} onClose={() => setRemoving(false)} />}
    </Card>
  );
}

function CardAction({ connection, onConnect }: Pick<Props, 'connection' | 'onConnect'>) {
  const sync = useSync();
  if (needsLink(connection))
    return (
      <Button icon="link" kind="first" onClick={() => onConnect(connection.provider)}>
        {words.newLink}
      </Button>
    );
  if (connection.transport !== 'cloud') return null;
  return (
    <>
      {sync.isError && <Callout tone="bad">{describeFailure(sync.error).advice}</Callout>}
      <Button
        icon={sync.isSuccess ? 'check' : 'retry'}
        isBusy={sync.isPending}
        onClick={() => sync.mutate(connection.id)}
      >
        <span aria-live="polite">{sync.isSuccess ? words.syncing : words.sync}</span>
      </Button>
    </>
  );
}

/** The colour of the device everywhere; a device without data has none yet. */
function useColour({ number }: Connection) {
  const looks = lookOf(useUserHead().devices);
  const look = number === null ? undefined : looks.get(number);
  return { colour: look?.colour ?? 'var(--faint)', isDashed: look?.isDashed ?? false };
}

function RemoveDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const remove = useRemoveDevice();
  const name = nameOf(connection);
  return (
    <DangerDialog
      title={words.removeTitle(name)}
      action={words.removeGo}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(connection.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {words.removeNote(name)}
    </DangerDialog>
  );
}
