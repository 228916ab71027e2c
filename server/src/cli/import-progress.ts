// The progress of an import: a bar that is drawn again on a terminal, otherwise a line every ten seconds.
import { MINUTE_MS, SECOND_MS } from '../domain/time/durations.ts';
import { printNote, type Terminal } from './terminal.ts';

type ProgressState = { readonly records: number; readonly share: number };
type Progress = { show(state: ProgressState): void; finish(): void };

const REDRAW_MS = 200;
const LINE_MS = 10 * SECOND_MS;
const BAR_WIDTH = 24;

export function createProgress(
  terminal: Pick<Terminal, 'argv' | 'stderr' | 'isTty'>,
  now = () => performance.now(),
): Progress {
  const isTty = terminal.isTty ?? false;
  const startedMs = now();
  let shownMs = isTty ? Number.NEGATIVE_INFINITY : startedMs;
  return {
    show(state) {
      const atMs = now();
      if (atMs - shownMs < (isTty ? REDRAW_MS : LINE_MS)) return;
      shownMs = atMs;
      const text = describeProgress(state, atMs - startedMs);
      printNote(terminal, isTty ? `\r${drawBar(state.share)} ${text}\u001b[K` : `${text}\n`);
    },
    finish() {
      if (isTty && shownMs > startedMs) printNote(terminal, '\r\u001b[K');
    },
  };
}

function describeProgress({ records, share }: ProgressState, elapsedMs: number): string {
  const perSecond = elapsedMs > 0 ? Math.round(records / (elapsedMs / SECOND_MS)) : 0;
  const left = share > 0 && elapsedMs > 0 ? `, ${describeTime((elapsedMs * (1 - share)) / share)} left` : '';
  const percent = Math.floor(share * 100);
  return `${percent} %, ${records.toLocaleString('en')} records, ${perSecond.toLocaleString('en')}/s${left}`;
}

function drawBar(share: number): string {
  const filled = Math.round(Math.min(1, share) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}

function describeTime(ms: number): string {
  return ms < MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)} s` : `${Math.ceil(ms / MINUTE_MS)} min`;
}
