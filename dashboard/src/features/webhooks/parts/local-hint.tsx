import { Card } from '../../../shared/ui/card.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import styles from '../webhooks.module.css';
import { words } from '../words.ts';

const COMMAND = 'tributary listen --forward-to http://localhost:3000/webhooks';

/** How to receive events on a laptop, which has no public address. */
export function LocalHint() {
  return (
    <Card title={words.local}>
      <div className={styles.hint}>
        <p>{words.localNote}</p>
        <Code value={COMMAND} label={words.localCommand} />
        <p>{words.localPrivate}</p>
      </div>
    </Card>
  );
}
