import { EVENT_TYPES } from '../../../shared/event/event-types.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Field, Select } from '../../../shared/ui/field.tsx';
import { SearchField } from '../../../shared/ui/search-field.tsx';
import { Chips } from '../../../shared/ui/tabs.tsx';
import styles from '../deliveries.module.css';
import { type DeliveryFilter, readFilter, STATUSES } from '../delivery-filter.ts';
import { words } from '../words.ts';

type Props = { readonly filter: DeliveryFilter; readonly onChange: (filter: DeliveryFilter) => void };

export function DeliveryFilters({ filter, onChange }: Props) {
  const set = (part: Record<string, string>) => onChange(readFilter({ ...filter, ...part }));
  return (
    <div className={styles.filters}>
      <Chips
        label={words.status}
        value={filter.status ?? 'all'}
        onChange={(status) => set({ status })}
        choices={[
          { value: 'all', text: words.anyStatus },
          ...STATUSES.map((status) => ({ value: status, text: words.statuses[status] })),
        ]}
      />
      <div className={styles.fields}>
        <Select
          label={words.event}
          isLabelHidden
          options={[{ value: '', text: words.anyEvent }, ...EVENT_TYPES.map((type) => ({ value: type, text: type }))]}
          value={filter.type ?? ''}
          onChange={(event) => set({ type: event.target.value })}
        />
        <SearchField
          label={words.userFilter}
          value={filter.user ?? ''}
          maxLength={255}
          onChange={(user) => set({ user })}
        />
        <Field
          label={words.fromDay}
          isLabelHidden
          title={words.fromDay}
          type="date"
          value={filter.from ?? ''}
          onChange={(event) => set({ from: event.target.value })}
        />
        {Object.keys(filter).length > 0 && (
          <Button kind="ghost" icon="cross" onClick={() => onChange({})}>
            {words.clear}
          </Button>
        )}
      </div>
    </div>
  );
}
