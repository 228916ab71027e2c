import type { ApiKey } from '../../../shared/query/keys-query.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { SearchField } from '../../../shared/ui/search-field.tsx';
import { Chips } from '../../../shared/ui/tabs.tsx';
import { METHODS, OUTCOMES, type RequestFilter, readFilter } from '../request-filter.ts';
import styles from '../requests.module.css';
import { words } from '../words.ts';

type Props = {
  readonly filter: RequestFilter;
  readonly keys: readonly ApiKey[];
  /** Endpoints to choose from: those of the calls that are shown. */
  readonly routes: readonly string[];
  readonly onChange: (filter: RequestFilter) => void;
};

export function RequestFilters({ filter, keys, routes, onChange }: Props) {
  const set = (part: Record<string, string>) => onChange(readFilter({ ...filter, ...part }));
  return (
    <div className={styles.filters}>
      <Chips
        label={words.outcome}
        value={filter.outcome ?? 'all'}
        onChange={(outcome) => set({ outcome })}
        choices={[
          { value: 'all', text: words.all },
          ...OUTCOMES.map((outcome) => ({ value: outcome, text: words.outcomes[outcome] })),
        ]}
      />
      <div className={styles.fields}>
        <SearchField label={words.search} value={filter.q ?? ''} maxLength={200} onChange={(q) => set({ q })} />
        <SearchField label={words.user} value={filter.user ?? ''} maxLength={200} onChange={(user) => set({ user })} />
        <Choice
          label={words.method}
          any={words.anyMethod}
          value={filter.method}
          options={METHODS.map((value) => ({ value, text: value }))}
          onChange={(method) => set({ method })}
        />
        <Choice
          label={words.route}
          any={words.anyRoute}
          value={filter.route}
          options={withChosen(routes, filter.route).map((value) => ({ value, text: value.replace(/^\/v1/, '') }))}
          onChange={(route) => set({ route })}
        />
        <Choice
          label={words.keyLabel}
          any={words.anyKey}
          value={filter.key}
          options={keys.map(({ id, name, last_four }) => ({ value: id, text: words.key(name, last_four) }))}
          onChange={(key) => set({ key })}
        />
        {filter.error !== undefined && (
          <Button icon="cross" onClick={() => set({ error: '' })}>
            {words.errorFilter(filter.error)}
          </Button>
        )}
        {Object.keys(filter).length > 0 && (
          <Button kind="ghost" icon="cross" onClick={() => onChange({})}>
            {words.clear}
          </Button>
        )}
      </div>
    </div>
  );
}

function withChosen(routes: readonly string[], chosen: string | undefined): string[] {
  return [...new Set([...routes, ...(chosen === undefined ? [] : [chosen])])].sort();
}

type ChoiceProps = {
  readonly label: string;
  readonly any: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onChange: (value: string) => void;
};

function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      isLabelHidden
      options={[{ value: '', text: any }, ...options]}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
