import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { sessionQuery } from '../../../shared/session/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { QrCode } from '../../../shared/ui/qr-code.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { Shape } from '../../../shared/ui/states.tsx';
import styles from '../settings.module.css';
import { words } from '../words.ts';

type Setup = { readonly secret: string; readonly uri: string };

/** Scan, type a code, save the recovery codes. */
export function TotpDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const setup = useQuery({
    queryKey: ['totp'],
    queryFn: () => api.post<Setup>('/totp'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => api.post<{ readonly recovery_codes: readonly string[] }>('/totp/confirm', { code }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} onClose={onClose} />;
  return (
    <Dialog title={words.totpAdd} onClose={onClose}>
      <Loaded query={setup} what={words.totpNotStarted} shapes={<Shape height={220} />}>
        {({ secret, uri }) => (
          <Form onSubmit={confirm.mutate} error={confirm.error} fields={['code']}>
            <p>{words.totpScan}</p>
            <div className={styles.qr}>
              <QrCode text={uri} label={words.totpQr} />
            </div>
            <p className={styles.secret}>
              <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
              <Copy text={secret} what={words.totpSecret} />
            </p>
            <Field
              label={words.code}
              hint={words.totpCodeHint}
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9 ]{6,7}"
              required
              isMono
              value={code}
              problem={problemOf(confirm.error, 'code')}
              onChange={(event) => setCode(event.target.value)}
            />
            <Button type="submit" kind="first" isBusy={confirm.isPending}>
              {words.totpConfirm}
            </Button>
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      title={words.recoveryCodes}
      onClose={onClose}
      isDismissible={false}
      actions={
        <>
          <Copy text={text}>{words.copyCodes}</Copy>
          <Button icon="download" onClick={() => saveFile('tributary-recovery-codes.txt', 'text/plain', text)}>
            {words.saveCodes}
          </Button>
          <Button kind="first" onClick={onClose}>
            {words.codesSaved}
          </Button>
        </>
      }
    >
      <Callout tone="warn">{words.recoveryNote}</Callout>
      <ol className={styles.codes}>
        {codes.map((one) => (
          <li key={one}>
            <code>{one}</code>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
