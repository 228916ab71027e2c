// tributary trigger: emits an event to test webhooks and feed readers.
import { describeChanges } from './describe-event.ts';
import { parseEventType } from './event-types.ts';
import { callOperator } from './operator-client.ts';
import { splitList } from './split-list.ts';
import { printJson, type Terminal } from './terminal.ts';

export type TriggerOptions = { user: string; metrics?: string; from?: string; to?: string; json?: boolean };

type Triggered = {
  event_id: string;
  event_type: string;
  account: string;
  environment: string;
  metrics: string[];
  from_date: string | null;
  to_date: string | null;
};

export async function trigger(terminal: Terminal, typed: string, options: TriggerOptions): Promise<void> {
  const triggered = await callOperator<Triggered>(terminal, 'POST', '/admin/events', {
    event_type: parseEventType(typed),
    user_id: options.user,
    ...(options.metrics !== undefined && { metrics: splitList(options.metrics) }),
    ...((options.from !== undefined || options.to !== undefined) && { days: { from: options.from, to: options.to } }),
  });
  if (options.json) return printJson(terminal, triggered);
  const { event_id: id, event_type: type, account, environment } = triggered;
  const parts = [`${type} ${id}`, ...describeChanges(triggered)];
  terminal.stdout(
    `${parts.join('  ')}\nIt is being delivered to all webhooks and feed readers of ${account}, ${environment}.\n`,
  );
}
