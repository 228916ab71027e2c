import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Field, Select } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { type Account, useChangeAccount } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';
import { Saved } from './saved.tsx';

/** Name, API form, app schemes and whether routes are kept. */
export function BasicsCard({ account, canChange }: { account: Account; canChange: boolean }) {
  const change = useChangeAccount();
  const [name, setName] = useState(account.name);
  const [form, setForm] = useState(String(account.default_form));
  const [schemes, setSchemes] = useState(account.redirect_schemes.join(' '));
  const [routes, setRoutes] = useState(account.keep_routes ? 'yes' : 'no');
  const keepsRoutes = routes === 'yes';
  const save = () =>
    change.mutate({
      ...(name !== account.name && { name }),
      ...(Number(form) !== account.default_form && { default_form: Number(form) }),
      ...(schemes !== account.redirect_schemes.join(' ') && {
        redirect_schemes: schemes.split(/[\s,]+/).filter(Boolean),
      }),
      ...(keepsRoutes !== account.keep_routes && { keep_routes: keepsRoutes }),
    });
  const isChanged =
    name !== account.name ||
    Number(form) !== account.default_form ||
    schemes !== account.redirect_schemes.join(' ') ||
    keepsRoutes !== account.keep_routes;
  return (
    <Card title={words.basics}>
      <Form onSubmit={save} error={change.error} fields={['name', 'redirect_schemes']}>
        <div className={styles.columns}>
          <Field
            label={words.accountName}
            hint={words.accountNameHint}
            required
            maxLength={100}
            disabled={!canChange}
            value={name}
            problem={problemOf(change.error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
          <Select
            label={words.defaultForm}
            hint={words.defaultFormHint}
            options={words.forms}
            disabled={!canChange}
            value={form}
            onChange={(event) => setForm(event.target.value)}
          />
          <Field
            label={words.schemes}
            hint={words.schemesHint}
            isMono
            disabled={!canChange}
            value={schemes}
            problem={problemOf(change.error, 'redirect_schemes')}
            onChange={(event) => setSchemes(event.target.value)}
          />
          <Select
            label={words.routes}
            hint={words.routesHint}
            options={words.routeChoices}
            disabled={!canChange}
            value={routes}
            onChange={(event) => setRoutes(event.target.value)}
          />
        </div>
        {canChange && (
          <div className={styles.actions}>
            <Button type="submit" kind="first" disabled={!isChanged} isBusy={change.isPending}>
              {words.save}
            </Button>
            <Saved isShown={change.isSuccess && !isChanged} />
          </div>
        )}
      </Form>
    </Card>
  );
}
