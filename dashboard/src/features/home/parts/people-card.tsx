import { useQuery } from '@tanstack/react-query';
import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { DeviceMarks } from '../../../shared/user/device-marks.tsx';
import { number } from '../../../shared/words/numbers.ts';
import styles from '../home.module.css';
import { type Directory, peopleQuery } from '../queries.ts';
import { words } from '../words.ts';

type Person = Directory['users'][number];

export function PeopleCard() {
  const environment = useEnvironment();
  const people = useQuery(peopleQuery(environment));
  return (
    <Card isFlush title={words.people} actions={<EnvironmentLink path="users">{words.allUsers}</EnvironmentLink>}>
      <Loaded query={people} what={words.usersFailed}>
        {({ users }) =>
          users.length === 0 ? <p className={styles.nothing}>{words.noPeople}</p> : <PeopleTable users={users} />
        }
      </Loaded>
    </Card>
  );
}

function PeopleTable({ users }: { users: readonly Person[] }) {
  return (
    <table className={styles.people} aria-label={words.people}>
      <thead>
        <tr>
          <td />
          <td />
          {words.scores.map(([type, name]) => (
            <th key={type} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              <EnvironmentLink path={`users/${user.id}`}>{user.reference}</EnvironmentLink>
            </th>
            <td>
              <DeviceMarks devices={user.devices} />
            </td>
            {words.scores.map(([type]) => (
              <td key={type}>{number(user.scores[type].findLast((value) => value !== null) ?? null)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
