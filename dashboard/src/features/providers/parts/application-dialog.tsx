import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { type ProviderSetup, useSetApplication } from '../queries.ts';
import { words } from '../words.ts';

export function ApplicationDialog({ provider, onClose }: { provider: ProviderSetup; onClose: () => void }) {
  const [clientId, setClientId] = useState(provider.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [extras, setExtras] = useState<Readonly<Record<string, string>>>({});
  const names = provider.extra_credentials;
  const save = useSetApplication(provider.provider);
  const submit = () => {
    const named = Object.fromEntries(names.map((name) => [name, (extras[name] ?? '').trim()]));
    const client = { client_id: clientId.trim(), client_secret: secret.trim() };
    save.mutate(names.length === 0 ? client : { ...client, extra_credentials: named }, { onSuccess: onClose });
  };
  return (
    <Dialog title={words.dialogTitle(provider.display_name)} onClose={onClose}>
      <p>{words.step1(provider.display_name)}</p>
      <Code value={provider.redirect_uri} label={words.redirectUri} />
      <p>{words.step2}</p>
      <Form onSubmit={submit} error={save.error} fields={['client_id', 'client_secret', ...names.map(pathOf)]}>
        <Field
          label={words.clientId}
          required
          autoFocus
          isMono
          autoComplete="off"
          maxLength={500}
          value={clientId}
          problem={problemOf(save.error, 'client_id')}
          onChange={(event) => setClientId(event.target.value)}
        />
        <Field
          label={words.clientSecret}
          type="password"
          required
          isMono
          autoComplete="off"
          maxLength={500}
          value={secret}
          problem={problemOf(save.error, 'client_secret')}
          onChange={(event) => setSecret(event.target.value)}
        />
        {names.map((name) => (
          <Field
            key={name}
            label={words.credential(name)}
            type="password"
            required
            isMono
            autoComplete="off"
            maxLength={500}
            value={extras[name] ?? ''}
            problem={problemOf(save.error, pathOf(name))}
            onChange={(event) => setExtras({ ...extras, [name]: event.target.value })}
          />
        ))}
        <Button type="submit" kind="first" isBusy={save.isPending}>
          {words.save}
        </Button>
      </Form>
    </Dialog>
  );
}

function pathOf(name: string): string {
  return `extra_credentials.${name}`;
}
