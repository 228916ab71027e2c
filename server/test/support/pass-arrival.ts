// Pushed history counts as complete once none has arrived for some seconds. Tests advance the clock instead of waiting.
import type { Services } from '../../src/platform/services.ts';
import type { TestClock } from './test-clock.ts';

/** If the device waits for nothing else, the pause is over. */
export async function passArrival({ db }: Pick<Services, 'db'>, clock: TestClock, deviceId: string): Promise<void> {
  const [task] = await db.query<{ due_at: Date }>(
    `select due_at from sync_tasks where device_id = $1 and kind = 'arrival'
       and not exists (select 1 from sync_tasks where device_id = $1 and kind <> 'arrival')
       and not exists (select 1 from provider_webhooks)`,
    [deviceId],
  );
  const leftMs = (task?.due_at.getTime() ?? 0) - clock.now().getTime();
  if (leftMs > 0) clock.advance(leftMs);
}
