import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { words } from '../words.ts';

const RECIPE = [
  '// npm install standardwebhooks',
  'const webhook = new Webhook(process.env.TRIBUTARY_WEBHOOK_SECRET);',
  'const event = webhook.verify(body, headers); // the body as it arrived, not parsed',
].join('\n');

/** Shows a signing secret once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const save = () => saveFile('.env', 'text/plain', `TRIBUTARY_WEBHOOK_SECRET=${secret}\n`);
  return (
    <Dialog
      title={words.newSecretTitle}
      onClose={onClose}
      isDismissible={false}
      actions={
        <>
          <Button icon="download" onClick={save}>
            {words.saveEnv}
          </Button>
          <Copy text={secret} kind="first">
            {words.copySecret}
          </Copy>
          <Button onClick={onClose}>{words.saved}</Button>
        </>
      }
    >
      <Callout tone="warn">{words.newSecretNote}</Callout>
      <Code value={secret} label={words.newSecretTitle} />
      <h3>{words.verify}</h3>
      <Code value={RECIPE} label={words.verify} />
    </Dialog>
  );
}
