import { useNow } from '../../../shared/time/use-now.ts';
import { Button, buttonClass } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { QrCode } from '../../../shared/ui/qr-code.tsx';
import { countDown, listSteps } from '../connect-steps.ts';
import styles from '../connections.module.css';
import type { Connection } from '../queries.ts';
import { words } from '../words.ts';

type Props = {
  readonly link: { readonly id: string; readonly auth_url: string };
  readonly name: string;
  readonly connection: Connection | undefined;
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

export function LinkSteps({ link, name, connection, onAgain, onClose }: Props) {
  const nowMs = useNow(1_000);
  const expiresAt = connection?.link.expires_at ?? null;
  const left = expiresAt === null ? '' : countDown(expiresAt, nowMs);
  const isOpen = connection === undefined || connection.status === 'pending';
  const isFailed = connection?.status === 'failed' || connection?.status === 'expired' || (isOpen && left === null);
  return (
    <div className={styles.linkSteps}>
      {isOpen && !isFailed && (
        <>
          <p className={styles.note}>{words.linkNote}</p>
          <div className={styles.qr}>
            <QrCode text={link.auth_url} label={words.qrLabel(name)} />
          </div>
          <p className={styles.url}>{link.auth_url}</p>
          <div className={styles.bar}>
            <Copy text={link.auth_url} kind="first">
              {words.copyLink}
            </Copy>
            <a className={buttonClass()} href={link.auth_url} target="_blank" rel="noreferrer">
              <Icon name="open" size={15} />
              {words.openLink}
            </a>
            {left !== '' && left !== null && (
              <span className={styles.countdown} role="timer">
                {words.endsIn(left)}
              </span>
            )}
          </div>
        </>
      )}
      {isFailed && (
        <Callout tone="bad" isAnnounced actions={<Button onClick={onAgain}>{words.newLink}</Button>}>
          {left === null ? words.ended : words.failedStep}
        </Callout>
      )}
      <ol className={styles.steps} aria-live="polite">
        {listSteps(connection).map(({ key, text, state }) => (
          <li key={key} data-state={state}>
            {state === 'done' ? <Icon name="check" size={14} /> : <i aria-hidden="true" />}
            {text}
          </li>
        ))}
      </ol>
      {!isOpen && !isFailed && (
        <Button kind="first" onClick={onClose}>
          {words.done}
        </Button>
      )}
    </div>
  );
}
