import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import styles from '../import.module.css';
import type { FileImport } from '../queries.ts';
import { words } from '../words.ts';

type Props = {
  readonly current: FileImport;
  /** This page sends the file. */
  readonly isOwn: boolean;
  readonly canCancel: boolean;
  readonly onCancel: () => void;
};

export function ImportProgress({ current, isOwn, canCancel, onCancel }: Props) {
  const isUpload = current.status === 'uploading';
  const share = isUpload ? current.received_bytes / Math.max(1, current.size_bytes) : current.share;
  const title = isUpload ? words.uploading(current.file_name) : words.reading(current.file_name);
  return (
    <Card
      title={title}
      actions={
        canCancel && (
          <Button icon="cross" onClick={onCancel}>
            {words.cancel}
          </Button>
        )
      }
    >
      <div className={styles.progress}>
        <progress value={share} max={1} aria-label={title} />
        <span>{words.percent(share)}</span>
      </div>
      <p className={styles.note} role="status">
        {isUpload ? (isOwn ? words.keepOpen : words.stalled) : words.soFar(current.records)}
      </p>
    </Card>
  );
}
