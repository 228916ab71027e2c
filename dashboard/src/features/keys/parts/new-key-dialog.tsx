import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../../shared/query/keys-query.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { ago } from '../../../shared/time/format-time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import styles from '../keys.module.css';
import type { NewKey } from '../queries.ts';
import { words } from '../words.ts';

const LISTEN_MS = 2_000;

/** Shows a key once, and waits for its first call. */
export function NewKeyDialog({ newKey, onClose }: { newKey: NewKey; onClose: () => void }) {
  const environment = useEnvironment();
  const { data } = useQuery({ ...keysQuery(environment), refetchInterval: LISTEN_MS });
  const use = data?.data.find(({ id }) => id === newKey.id);
  const command = `curl -s ${window.location.origin}/v1/users?limit=1 \\\n  -H "Authorization: Bearer ${newKey.key}"`;
  return (
    <Dialog
      title={words.newTitle}
      onClose={onClose}
      isDismissible={false}
      actions={
        <>
          <Button icon="download" onClick={() => saveFile('.env', 'text/plain', `TRIBUTARY_API_KEY=${newKey.key}\n`)}>
            {words.saveEnv}
          </Button>
          <Copy text={newKey.key} kind="first">
            {words.copy}
          </Copy>
          <Button onClick={onClose}>{words.done}</Button>
        </>
      }
    >
      <Callout tone="warn">{words.newNote}</Callout>
      <Code value={newKey.key} label={words.newTitle} />
      <h3>{words.tryIt}</h3>
      <Code value={command} label={words.tryIt} />
      <p className={styles.listening} data-heard={use?.last_used_at ? true : undefined} role="status">
        {use?.last_used_at ? words.heard(ago(use.last_used_at), use.last_used_agent) : words.waiting}
      </p>
    </Dialog>
  );
}
