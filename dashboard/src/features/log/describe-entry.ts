// An entry of the log in words: what happened, and the facts that matter. Pure.

import { describeEvent } from '../../shared/event/describe-event.ts';
import { EVENT_WORDS, type EventType } from '../../shared/event/event-types.ts';
import type { Tone } from '../../shared/ui/pill.tsx';
import type { LogEntry } from './queries.ts';
import { words } from './words.ts';

type DescribedEntry = {
  readonly title: string;
  readonly note: string;
  /** Bad and warn are marked in the list. */
  readonly tone: Extract<Tone, 'plain' | 'warn' | 'bad'>;
};

export function describeEntry(entry: LogEntry): DescribedEntry {
  if (entry.event) return describeEventOf(entry.event);
  if (entry.upload) return describeUpload(entry.upload);
  if (entry.sync) return describeSync(entry.sync);
  if (entry.delivery) return describeDelivery(entry.delivery);
  return describeChange(entry.change);
}

function describeEventOf(event: NonNullable<LogEntry['event']>): DescribedEntry {
  const note = describeEvent({ ...event, device: null });
  return {
    title: nameEvent(event.type),
    note: join(note, event.deleted && words.includesDeletions),
    tone: event.type === 'device.failed' ? 'bad' : 'plain',
  };
}

function nameEvent(type: string): string {
  return EVENT_WORDS[type as EventType] ?? type;
}

function describeUpload(upload: NonNullable<LogEntry['upload']>): DescribedEntry {
  const { accepted, duplicates, deleted, rejected_count: rejected } = upload;
  return {
    title: words.upload,
    note: join(
      words.accepted(accepted),
      rejected > 0 && words.rejected(rejected),
      duplicates > 0 && words.duplicates(duplicates),
      deleted > 0 && words.deleted(deleted),
    ),
    tone: rejected > 0 ? 'warn' : 'plain',
  };
}

function describeSync(sync: NonNullable<LogEntry['sync']>): DescribedEntry {
  const { kind, outcome, runs, cause, http_status: status, refused, metrics, days } = sync;
  const isFine = outcome === 'changed' || outcome === 'unchanged' || outcome === 'no_budget';
  return {
    title: `${words.syncs[kind]}: ${words.outcomes[outcome]}`,
    note: join(
      describeEvent({ metrics, from_date: days.from, to_date: days.to, device: null }),
      runs > 1 && words.runs(runs),
      cause,
      status !== null && words.status(status),
      refused > 0 && words.dropped(refused),
    ),
    tone: outcome === 'refused' || outcome === 'parked' ? 'bad' : isFine ? 'plain' : 'warn',
  };
}

function describeDelivery(delivery: NonNullable<LogEntry['delivery']>): DescribedEntry {
  const { event_type: type, status, attempts, http_status: answer, error } = delivery;
  return {
    title: `${words.deliveries[status] ?? status}: ${nameEvent(type).toLowerCase()}`,
    note: join(words.attempts(attempts), answer !== null && words.status(answer), error),
    tone: status === 'failed' ? 'bad' : status === 'pending' && attempts > 0 ? 'warn' : 'plain',
  };
}

function describeChange(change: LogEntry['change']): DescribedEntry {
  if (change === undefined) return { title: '', note: '', tone: 'plain' };
  const { action, actor, actor_name: name, via } = change;
  return {
    title: words.changes[action] ?? readAction(action),
    note: words.by(name ?? words.actors[actor] ?? actor, words.vias[via] ?? via),
    tone: 'plain',
  };
}

/** user.metadata_changed becomes "User metadata changed". */
function readAction(action: string): string {
  const text = action.replaceAll('.', ' ').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function join(...parts: readonly (string | false | null)[]): string {
  return parts.filter((part) => part !== false && part !== null && part !== '').join(' · ');
}
