import { clockSeconds, dateTime, readerZone } from '../../../shared/time/format-time.ts';
import { IconButton } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Facts } from '../../../shared/ui/facts.tsx';
import { describeAction } from '../describe-action.ts';
import type { AuditEntry } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';

export function AuditDetails({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  return (
    <Card
      title={describeAction(entry.action)}
      actions={<IconButton icon="cross" label={words.closeDetails} onClick={onClose} />}
    >
      <Facts
        facts={[
          [words.when, `${dateTime(entry.at)}, ${clockSeconds(entry.at)} ${readerZone()}`],
          [words.who, entry.actor.name ?? words.actors[entry.actor.kind] ?? entry.actor.kind],
          [words.via, words.vias[entry.via] ?? entry.via],
          ...(entry.subject === '' ? [] : [[words.subject, <code key="subject">{entry.subject}</code>] as const]),
          ...(entry.request_id === null
            ? []
            : [
                [
                  words.request,
                  <span key="request" className={styles.id}>
                    <code>{entry.request_id}</code>
                    <Copy text={entry.request_id} what={words.request} />
                  </span>,
                ] as const,
              ]),
        ]}
      />
      {Object.keys(entry.details).length > 0 && (
        <div className={styles.details}>
          <h3>{words.changes}</h3>
          <Code value={entry.details} label={words.changes} />
        </div>
      )}
    </Card>
  );
}
