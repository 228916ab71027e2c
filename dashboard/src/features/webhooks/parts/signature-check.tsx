import { useEffect, useState } from 'react';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { type SignatureResult as Check, checkSignature } from '../check-signature.ts';
import styles from '../deliveries.module.css';
import type { InspectedDelivery } from '../queries.ts';
import { words } from '../words.ts';

type Props = { readonly attempt: InspectedDelivery['attempts'][number]; readonly body: string };

/** How the signature is made, and whether a secret makes the same. */
export function SignatureCheck({ attempt, body }: Props) {
  const [secret, setSecret] = useState('');
  const header = (wanted: string) => attempt.request_headers.find(({ name }) => name === wanted)?.value ?? '';
  const message = { id: header('webhook-id'), timestamp: header('webhook-timestamp'), body };
  const check = useCheck(secret, message, header('webhook-signature'));
  return (
    <details className={styles.signature}>
      <summary>{words.signature}</summary>
      <div>
        <p>{words.signatureNote}</p>
        <Code value={`${message.id}.${message.timestamp}.${body}`} label={words.signedText} />
        {globalThis.crypto.subtle === undefined ? (
          <p>{words.noCrypto}</p>
        ) : (
          <Field
            label={words.signatureSecret}
            hint={words.signatureHint}
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder="whsec_"
            value={secret}
            problem={check?.outcome === 'unreadable' ? words.unreadable : null}
            onChange={(event) => setSecret(event.target.value)}
          />
        )}
        {check && check.outcome !== 'unreadable' && (
          <>
            <Callout tone={check.outcome === 'matches' ? 'good' : 'bad'} isAnnounced>
              {words[check.outcome]}
            </Callout>
            <Code value={check.computed} label={words.computed} />
          </>
        )}
      </div>
    </details>
  );
}

function useCheck(secret: string, { id, timestamp, body }: Parameters<typeof checkSignature>[1], signatures: string) {
  const [check, setCheck] = useState<Check | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (secret.trim() === '') setCheck(null);
    else
      void checkSignature(secret, { id, timestamp, body }, signatures).then((result) => {
        if (isCurrent) setCheck(result);
      });
    return () => {
      isCurrent = false;
    };
  }, [secret, id, timestamp, body, signatures]);
  return check;
}
