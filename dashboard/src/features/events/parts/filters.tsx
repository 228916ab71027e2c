import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LatestEvent, nameOfUser } from '../../../shared/event/describe-event.ts';
import { EVENT_TYPES } from '../../../shared/event/event-types.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Chips } from '../../../shared/ui/tabs.tsx';
import styles from '../events.module.css';
import { type EventFilter, rateQuery } from '../queries.ts';
import { words } from '../words.ts';

type Props = {
  readonly filter: EventFilter;
  /** Name the user of the filter. */
  readonly rows: readonly LatestEvent[];
  readonly onChange: (filter: EventFilter) => void;
};

/** Counts are those of the last hour. A type without a count stays: it may still arrive. */
export function Filters({ filter, rows, onChange }: Props) {
  const { data } = useQuery(rateQuery(useEnvironment()));
  const { type, user, ...others } = filter;
  const counts = new Map(data?.flow.types.map((entry) => [entry.type, entry.n]));
  const known = rows.find(({ user_id }) => user_id === user);
  return (
    <div className={styles.filters}>
      <SearchField filter={filter} onChange={onChange} />
      {user !== undefined && (
        <Button icon="cross" onClick={() => onChange({ ...others, ...(type && { type }) })} title={words.allUsers}>
          {words.ofUser(known ? nameOfUser(known) : `${user.slice(0, 8)}…`)}
        </Button>
      )}
      <Chips
        label={words.types}
        value={type ?? 'all'}
        onChange={(value) => onChange({ ...others, ...(user && { user }), ...(value !== 'all' && { type: value }) })}
        choices={[
          { value: 'all', text: words.all },
          ...EVENT_TYPES.map((value) => {
            const count = counts.get(value);
            return { value, text: value, ...(count !== undefined && { count }) };
          }),
        ]}
      />
    </div>
  );
}

/** Searches on Enter, so that a list that is remounted never takes the focus from who types. */
function SearchField({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const [text, setText] = useState(filter.q ?? '');
  useEffect(() => setText(filter.q ?? ''), [filter.q]);
  const { q: _, ...others } = filter;
  const search = (value: string) => onChange({ ...others, ...(value.trim() !== '' && { q: value.trim() }) });
  return (
    <form
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        search(text);
      }}
    >
      <Field
        label={words.search}
        isLabelHidden
        icon="search"
        type="search"
        placeholder={words.search}
        value={text}
        maxLength={100}
        onChange={(event) => {
          setText(event.target.value);
          if (event.target.value === '' && filter.q !== undefined) search('');
        }}
      />
    </form>
  );
}
