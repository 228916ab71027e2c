import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Empty, Shape } from '../../../shared/ui/states.tsx';
import { useRunScenario, usersQuery } from '../queries.ts';
import styles from '../scenarios.module.css';
import { SCENARIOS, type ScenarioName, words } from '../words.ts';
import { UserLink } from './user-link.tsx';

type Props = {
  readonly canRun: boolean;
  /** From the address; null: the first one. */
  readonly userId: string | null;
  readonly onChoose: (id: string) => void;
  readonly onNewPerson: () => void;
};

export function RunCard({ canRun, userId, onChoose, onNewPerson }: Props) {
  const users = useQuery(usersQuery);
  const [name, setName] = useState<ScenarioName>('illness');
  const run = useRunScenario();
  return (
    <Card title={words.runTitle}>
      <p className={styles.note}>{words.runNote}</p>
      <Loaded query={users} what={words.usersNotLoaded} shapes={<Shape height={320} radius={8} />}>
        {({ users: listed }) => {
          const chosen = listed.find(({ id }) => id === userId) ?? listed[0];
          if (chosen === undefined)
            return (
              <Empty
                title={words.noUsers}
                action={
                  canRun && (
                    <Button kind="first" icon="plus" onClick={onNewPerson}>
                      {words.newPerson}
                    </Button>
                  )
                }
              >
                {words.noUsersAdvice}
              </Empty>
            );
          return (
            <Form onSubmit={() => run.mutate({ user_id: chosen.id, name })} error={run.error}>
              <Select
                label={words.user}
                options={listed.map(({ id, reference }) => ({ value: id, text: reference }))}
                value={chosen.id}
                onChange={(event) => onChoose(event.target.value)}
              />
              <fieldset className={styles.choices}>
                <legend>{words.scenario}</legend>
                {SCENARIOS.map((scenario) => (
                  <label key={scenario.name} className={styles.choice}>
                    <input
                      type="radio"
                      name="scenario"
                      value={scenario.name}
                      checked={scenario.name === name}
                      onChange={() => setName(scenario.name)}
                    />
                    <span>
                      <b>{scenario.title}</b>
                      <small>{scenario.text}</small>
                    </span>
                  </label>
                ))}
              </fieldset>
              <div>
                <Button type="submit" kind="first" icon="play" isBusy={run.isPending} disabled={!canRun}>
                  {words.run}
                </Button>
              </div>
              {run.data && (
                <Callout
                  tone="good"
                  isAnnounced
                  actions={
                    <UserLink userId={run.variables?.user_id ?? chosen.id} date={run.data.to_date}>
                      {words.look}
                    </UserLink>
                  }
                >
                  {run.data.did.map((sentence) => (
                    <p key={sentence}>{sentence}</p>
                  ))}
                </Callout>
              )}
            </Form>
          );
        }}
      </Loaded>
    </Card>
  );
}
