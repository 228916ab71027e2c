import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { ago, shortDateTime } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { type Column, List } from '../../../shared/ui/list.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { describeAgent } from '../describe-agent.ts';
import { type OwnSession, sessionsQuery, useChange } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';

export function SessionsCard() {
  const sessions = useQuery(sessionsQuery);
  const end = useChange((id: string) => api.delete(`/sessions/${id}`), sessionsQuery.queryKey);
  const nowMs = useNow();
  const columns: readonly Column<OwnSession>[] = [
    {
      name: words.browser,
      narrow: 'first',
      csv: ({ user_agent }) => user_agent,
      cell: ({ user_agent, address }) => (
        <div className={styles.person}>
          <b>{describeAgent(user_agent)}</b>
          <small>{address}</small>
        </div>
      ),
    },
    { name: words.started, csv: (row) => row.created_at, cell: (row) => shortDateTime(row.created_at, nowMs) },
    { name: words.lastUsed, csv: (row) => row.last_used_at, cell: (row) => ago(row.last_used_at, nowMs) },
    {
      name: words.actions,
      isNameHidden: true,
      isNumber: true,
      narrow: 'first',
      cell: (row) =>
        row.is_current ? (
          <Pill tone="accent">{words.thisSession}</Pill>
        ) : (
          <Button kind="ghost" isBusy={end.isPending} onClick={() => end.mutate(row.id)}>
            {words.endSession}
          </Button>
        ),
    },
  ];
  return (
    <Card title={words.sessions} isFlush>
      <Loaded query={sessions} what={words.sessionsNotLoaded}>
        {({ data }) => <List label={words.sessions} rows={data} columns={columns} keyOf={({ id }) => id} />}
      </Loaded>
    </Card>
  );
}
