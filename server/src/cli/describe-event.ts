// Formats an event as one readable line.

export type FeedEvent = {
  readonly event_id: string;
  readonly event_type: string;
  readonly metrics: readonly string[];
  readonly user_id: string;
  readonly device_id: string | null;
  readonly timestamp: string;
  readonly from_date?: string | null;
  readonly to_date?: string | null;
  readonly deleted?: boolean;
};

const WIDEST_TYPE = 'device.disconnected'.length;
const SHOWN_METRICS = 3;

export function describeEvent(event: FeedEvent): string {
  return [
    describeTime(event.timestamp),
    event.event_type.padEnd(WIDEST_TYPE),
    event.user_id,
    ...(event.event_type.startsWith('device.') && event.device_id !== null ? [`device ${event.device_id}`] : []),
    ...describeChanges(event),
  ]
    .join('  ')
    .trimEnd();
}

export function describeChanges(event: Pick<FeedEvent, 'metrics' | 'from_date' | 'to_date' | 'deleted'>): string[] {
  const days = describeDays(event.from_date ?? null, event.to_date ?? null);
  return [
    ...(event.metrics.length === 0 ? [] : [shortenMetrics(event.metrics)]),
    ...(days === null ? [] : [days]),
    ...(event.deleted ? ['(includes deletions)'] : []),
  ];
}

/** To the second, in UTC: "2026-03-09 11:00:00Z". */
export function describeTime(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}Z`;
}

function shortenMetrics(metrics: readonly string[]): string {
  const more = metrics.length - SHOWN_METRICS;
  return metrics.slice(0, SHOWN_METRICS).join(', ') + (more > 0 ? ` +${more}` : '');
}

function describeDays(from: string | null, to: string | null): string | null {
  if (from === null || to === null) return null;
  return from === to ? from : `${from} to ${to}`;
}
