// A buffer of one user's inputs and scores within one scoring run: read as needed, changed in memory, written once.
import { isDeepStrictEqual } from 'node:util';
import {
  type CarriedScores,
  type ComputedStress,
  type DayInputs,
  joinInputs,
  LOOK_BACK_DAYS,
  type ScoreType,
} from '../../../domain/scores/index.ts';
import { addDays, type DateRange, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { createHeights, type Heights } from './heights.ts';
import { hasScores, type KeptDay, type KeptScore, readScoredDays, writeScoredDays } from './score-store.ts';
import { deleteInputs, type KeptInputs, listHeights, readInputs, writeInputs } from './store.ts';

export type ScoreBuffer = {
  /** Sets the current inputs. Null: the day has no data any more. */
  replaceInputs(days: ReadonlyMap<LocalDate, DayInputs | null>): Promise<void>;
  /** Loads the look-back of the day's scores, and some days ahead. */
  loadAround(date: LocalDate): Promise<void>;
  /** The inputs from the data of the day, which its scores use. */
  reported(date: LocalDate): DayInputs | null;
  /** The inputs that baselines of later days use: those of the data, filled in from hidden inputs. */
  usual(date: LocalDate): DayInputs | null;
  carried(date: LocalDate): CarriedScores | null;
  heights(): Promise<Heights>;
  /** True if the score changed. */
  setScore(date: LocalDate, type: ScoreType, score: KeptScore | null): boolean;
  setStress(date: LocalDate, series: readonly ComputedStress[]): void;
  hasScores(): Promise<boolean>;
  /** True if anything changed, be it only an input or an explanation. */
  flush(): Promise<boolean>;
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
  let loaded: DateRange | null = null;

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
      // Days come in order, so only the rest has to be read.
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
      const isExplanationChanged = !isDeepStrictEqual(before?.explanation, score?.explanation);
      if (isSame && !isExplanationChanged) return false;
      // Inputs can change without changing the score: then only the explanation is stored, and no event is emitted.
      const kept = isSame && score !== null && before !== null ? { ...before, explanation: score.explanation } : score;
      changed.add(date);
      if (kept === null) scores.delete(type);
      else scores.set(type, kept);
      return !isSame;
    },
    setStress(date, series) {
      if (series.length === 0 && !days.has(date)) return;
      const day = dayOf(date);
      if (isDeepStrictEqual(day.stressSeries, series)) return;
      day.stressSeries = series;
      changed.add(date);
    },
    hasScores: () => hasScores(tx, user),
    async flush() {
      const kept = [...replaced].filter((entry): entry is [LocalDate, DayInputs] => entry[1] !== null);
      const isChanged = ([date, ofDate]: [LocalDate, DayInputs]) => {
        return !isDeepStrictEqual(inputs.get(date)?.reported ?? null, ofDate);
      };
      const fresh = kept.filter(isChanged);
      await writeInputs(tx, user, new Map(fresh), false);
      const gone = [...replaced].filter(
        ([date, ofDate]) => ofDate === null && (inputs.get(date)?.reported ?? null) !== null,
      );
      await deleteInputs(
        tx,
        user,
        gone.map(([date]) => date),
      );
      await writeScoredDays(tx, user, new Map([...changed].map((date): [LocalDate, KeptDay] => [date, dayOf(date)])));
      return fresh.length + gone.length + changed.size > 0;
    },
  };
}

/** Compares the public fields except the time of computation. */
function isSameResult(before: KeptScore | null, after: KeptScore | null): boolean {
  if (before === null || after === null) return before === after;
  return (
    before.value === after.value &&
    before.algorithmVersion === after.algorithmVersion &&
    before.coverage === after.coverage &&
    isDeepStrictEqual(before.factors, after.factors)
  );
}
