// The inputs and scores of a person while they are worked out: read as far as they are needed, changed in memory, written once.
import { isDeepStrictEqual } from 'node:util';
import {
  type CarriedScores,
  type ComputedStress,
  type DayInputs,
  joinInputs,
  LOOK_BACK_DAYS,
  type ScoreType,
} from '../../../domain/scores/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { createHeights, type Heights } from './heights.ts';
import {
  deleteInputs,
  hasScores,
  type KeptDay,
  type KeptInputs,
  type KeptScore,
  listHeights,
  readInputs,
  readScoredDays,
  writeInputs,
  writeScoredDays,
} from './store.ts';

export type ScoreBuffer = {
  /** As they are now. Null: nothing is known of that day any more. */
  replaceInputs(days: ReadonlyMap<LocalDate, DayInputs | null>): Promise<void>;
  /** All that the scores of the day look back on, and some days more. */
  loadAround(date: LocalDate): Promise<void>;
  /** What the data of the day tells: what it is scored by. */
  reported(date: LocalDate): DayInputs | null;
  /** What later days are held against: where the data says nothing, what a hidden day says. */
  usual(date: LocalDate): DayInputs | null;
  carried(date: LocalDate): CarriedScores | null;
  heights(): Promise<Heights>;
  /** True if it is another than before. */
  setScore(date: LocalDate, type: ScoreType, score: KeptScore | null): boolean;
  setStress(date: LocalDate, series: readonly ComputedStress[]): boolean;
  hasScores(): Promise<boolean>;
  flush(): Promise<void>;
};

type Day = { scores: Map<ScoreType, KeptScore>; stressSeries: readonly ComputedStress[] };

const AHEAD_DAYS = 120;
const NONE: KeptInputs = { reported: null, hidden: null };

export function openScoreBuffer(tx: Transaction, user: UserHandle): ScoreBuffer {
  const inputs = new Map<LocalDate, KeptInputs>();
  const replaced = new Map<LocalDate, DayInputs | null>();
  const days = new Map<LocalDate, Day>();
  const changed = new Set<LocalDate>();
  let heights: Heights | null = null;
  let loaded: { from: LocalDate; to: LocalDate } | null = null;

  const load = async (from: LocalDate, to: LocalDate) => {
    for (const [date, kept] of await readInputs(tx, user, from, to)) if (!inputs.has(date)) inputs.set(date, kept);
    for (const [date, { scores, stressSeries }] of await readScoredDays(tx, user, from, to))
      if (!days.has(date)) days.set(date, { scores: new Map(scores), stressSeries });
  };
  const dayOf = (date: LocalDate): Day =>
    days.getOrInsertComputed(date, () => ({ scores: new Map(), stressSeries: [] }));
  const find = (date: LocalDate): KeptInputs => {
    const kept = inputs.get(date) ?? NONE;
    const fresh = replaced.get(date);
    return fresh === undefined ? kept : { ...kept, reported: fresh };
  };
  return {
    async replaceInputs(fresh) {
      for (const [date, ofDate] of fresh) replaced.set(date, ofDate);
      heights = null;
    },
    async loadAround(date) {
      const from = addDays(date, -LOOK_BACK_DAYS);
      if (loaded !== null && loaded.from <= from && date <= loaded.to) return;
      // Days come in order: what was read stays, the rest follows.
      const first = loaded !== null && loaded.from <= from && loaded.to >= from ? addDays(loaded.to, 1) : from;
      const to = addDays(date, AHEAD_DAYS);
      await load(first, to);
      loaded = { from: loaded !== null && first > from ? loaded.from : from, to };
    },
    reported: (date) => find(date).reported,
    usual(date) {
      const { reported, hidden } = find(date);
      return reported === null || hidden === null ? (reported ?? hidden) : joinInputs(reported, hidden);
    },
    carried(date) {
      const scores = days.get(date)?.scores;
      const hidden = find(date).hidden?.carried;
      if (scores === undefined) return hidden ?? null;
      return {
        strain: scores.get('strain_score')?.value ?? hidden?.strain ?? null,
        energyReserve: scores.get('energy_reserve_score')?.value ?? hidden?.energyReserve ?? null,
      };
    },
    async heights() {
      const fresh = [...replaced].map(([date, ofDate]) => [date, ofDate?.values.height ?? null] as const);
      heights ??= createHeights(await listHeights(tx, user), new Map(fresh));
      return heights;
    },
    setScore(date, type, score) {
      const { scores } = dayOf(date);
      const before = scores.get(type) ?? null;
      const isSame = isSameResult(before, score);
      const isOtherwiseRead = !isDeepStrictEqual(before?.explanation, score?.explanation);
      if (isSame && !isOtherwiseRead) return false;
      // What it is read from may move without moving it: then there is nothing to tell, but to explain.
      const kept = isSame && score !== null && before !== null ? { ...before, explanation: score.explanation } : score;
      changed.add(date);
      if (kept === null) scores.delete(type);
      else scores.set(type, kept);
      return !isSame;
    },
    setStress(date, series) {
      if (series.length === 0 && !days.has(date)) return false;
      const day = dayOf(date);
      if (isDeepStrictEqual(day.stressSeries, series)) return false;
      day.stressSeries = series;
      changed.add(date);
      return true;
    },
    hasScores: () => hasScores(tx, user),
    async flush() {
      const kept = [...replaced].filter((entry): entry is [LocalDate, DayInputs] => entry[1] !== null);
      const isOther = ([date, fresh]: [LocalDate, DayInputs]) => {
        return !isDeepStrictEqual(inputs.get(date)?.reported ?? null, fresh);
      };
      await writeInputs(tx, user, new Map(kept.filter(isOther)), false);
      const gone = [...replaced].filter(
        ([date, fresh]) => fresh === null && (inputs.get(date)?.reported ?? null) !== null,
      );
      await deleteInputs(
        tx,
        user,
        gone.map(([date]) => date),
      );
      await writeScoredDays(tx, user, new Map([...changed].map((date): [LocalDate, KeptDay] => [date, dayOf(date)])));
    },
  };
}

/** What is shown of it; when it was worked out is no difference. */
function isSameResult(before: KeptScore | null, after: KeptScore | null): boolean {
  if (before === null || after === null) return before === after;
  return (
    before.value === after.value &&
    before.algorithmVersion === after.algorithmVersion &&
    before.coverage === after.coverage &&
    isDeepStrictEqual(before.factors, after.factors)
  );
}
