import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { type Session, sessionQuery } from '../../../shared/session/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { useChange } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';
import { Saved } from './saved.tsx';

export function NameCard({ member }: { member: Session['member'] }) {
  const [name, setName] = useState(member.name);
  const rename = useChange((next: string) => api.patch('/member', { name: next }), sessionQuery.queryKey);
  return (
    <Card title={words.you}>
      <Form onSubmit={() => rename.mutate(name)} error={rename.error} fields={['name']}>
        <Field
          label={words.yourName}
          autoComplete="name"
          required
          maxLength={100}
          value={name}
          problem={problemOf(rename.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Field label={words.email} value={member.email} disabled hint={words.emailHint} />
        <div className={styles.actions}>
          <Button type="submit" disabled={name === member.name} isBusy={rename.isPending}>
            {words.save}
          </Button>
          <Saved isShown={rename.isSuccess && name === member.name} />
        </div>
      </Form>
    </Card>
  );
}
