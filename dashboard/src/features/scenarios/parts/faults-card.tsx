import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { type Column, List } from '../../../shared/ui/list.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { Empty } from '../../../shared/ui/states.tsx';
import { providerName } from '../../../shared/user/devices.ts';
import { type Fault, faultsQuery, useRemoveFault } from '../queries.ts';
import { faultText, words } from '../words.ts';
import { FaultDialog } from './fault-dialog.tsx';

type Props = {
  readonly canChange: boolean;
  readonly isAdding: boolean;
  readonly onAdd: (isOpen: boolean) => void;
};

export function FaultsCard({ canChange, isAdding, onAdd }: Props) {
  const faults = useQuery(faultsQuery);
  const remove = useRemoveFault();
  const mayChange = canChange && faults.data?.can_change === true;
  const add = (
    <Button icon="bolt" onClick={() => onAdd(true)}>
      {words.addFault}
    </Button>
  );
  return (
    <Card title={words.faults} isFlush actions={mayChange && (faults.data?.data.length ?? 0) > 0 && add}>
      <Loaded query={faults} what={words.faultsNotLoaded}>
        {({ data, can_change }) => (
          <List
            label={words.faults}
            rows={data}
            columns={columnsFor(mayChange ? (id) => remove.mutate(id) : null)}
            keyOf={({ id }) => String(id)}
            empty={
              <Empty title={words.noFaults} action={mayChange && add}>
                {can_change ? words.faultsNote : words.shared}
              </Empty>
            }
          />
        )}
      </Loaded>
      {isAdding && mayChange && <FaultDialog onClose={() => onAdd(false)} />}
    </Card>
  );
}

function columnsFor(remove: ((id: number) => void) | null): readonly Column<Fault>[] {
  const columns: Column<Fault>[] = [
    { name: words.fault, narrow: 'first', cell: ({ kind }) => <Pill tone="warn">{faultText(kind)}</Pill> },
    { name: words.provider, narrow: 'second', cell: ({ provider }) => providerName(provider) },
    { name: words.times, narrow: 'second', cell: ({ times }) => words.timesLeft(times) },
  ];
  if (remove === null) return columns;
  const action: Column<Fault> = {
    name: words.actions,
    isNameHidden: true,
    isNumber: true,
    narrow: 'second',
    cell: ({ id }) => (
      <Button kind="ghost" onClick={() => remove(id)}>
        {words.remove}
      </Button>
    ),
  };
  return [...columns, action];
}
