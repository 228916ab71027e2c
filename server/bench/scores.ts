// Benchmarks the six scores: one day as pure functions, and a user's whole year from stored inputs to stored scores.
import { rm } from 'node:fs/promises';
import {
  assembleInputs,
  type CarriedScores,
  type DayInputs,
  type DayScores,
  type PersonOnDay,
  scoreDay,
} from '../src/domain/scores/index.ts';
import { addDays, type LocalDate } from '../src/domain/time/calendar.ts';
import { queueEveryDay, scoreQueuedDays } from '../src/features/pipeline/scoring/index.ts';
import { readInputs } from '../src/features/pipeline/scoring/store.ts';
import { createDatabase } from '../src/platform/db/database.ts';
import { loadMigrations, migrate } from '../src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { type AsUser, createYear, YEAR_END } from './support/person-year.ts';
import { presentTable } from './support/present-table.ts';

const ROUNDS = 5;
const AIMS = { dayMs: 1, yearMs: 2_000 } as const;

export async function benchScores(): Promise<string> {
  const dataDir = await makeDataFolder();
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, print: () => undefined, log });
  const db = createDatabase({ maxConnections: 2, log });
  try {
    db.attach(server.connection);
    await migrate(db, loadMigrations());
    const asUser = await createYear(db);
    const years = [];
    for (let round = 0; round < ROUNDS; round += 1) years.push(await measure(() => rescore(asUser)));
    const days = await asUser((tx, user) => readInputs(tx, user, '2000-01-01' as LocalDate, '2100-01-01' as LocalDate));
    const inputs = new Map([...days].flatMap(([date, { reported }]) => (reported === null ? [] : [[date, reported]])));
    scoreAll(inputs); // once, to warm up the JIT compiler
    const pure = [];
    for (let round = 0; round < ROUNDS; round += 1) pure.push(await measure(async () => void scoreAll(inputs)));
    const row = (name: string, times: readonly Measured[], count: number, aim: number) => {
      const sorted = times.toSorted((a, b) => a.wallMs - b.wallMs);
      const middle = sorted[sorted.length >> 1] ?? { wallMs: 0, cpuMs: 0 };
      const [least, most] = [sorted[0]?.wallMs ?? 0, sorted.at(-1)?.wallMs ?? 0];
      const cells = [middle.wallMs, least, most, middle.cpuMs].map((ms) => (ms / count).toPrecision(3));
      return [name, ...cells, `< ${aim}`];
    };
    return [
      `Scores of ${inputs.size} days of one user: three devices, heart rate every minute, nights, workouts, food; ${ROUNDS} rounds. ${describeMachine()}`,
      '',
      presentTable(
        ['', 'ms, median', 'least', 'most', 'CPU', 'aim'],
        [
          row('one day, six scores, pure', pure, inputs.size, AIMS.dayMs),
          row('one year, read, scored, stored', years, 1, AIMS.yearMs),
        ],
      ),
    ].join('\n');
  } finally {
    await db.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Deletes the stored scores first, so that every score is computed and written again. */
function rescore(asUser: AsUser): Promise<void> {
  return asUser(async (tx, user) => {
    await queueEveryDay(tx, user, YEAR_END);
    await tx.query('delete from scores where user_id = $1', [user.userId]);
    await tx.query('delete from score_inputs where user_id = $1', [user.userId]);
    await scoreQueuedDays(tx, user, YEAR_END);
  });
}

const SOMEBODY: PersonOnDay = {
  ageYears: 35,
  sex: 'female',
  weightKg: 65,
  sleepNeedMinutes: null,
  energyGoalRatio: null,
  heartRateRange: { restBpm: 55, maxBpm: 184 },
};

function scoreAll(days: ReadonlyMap<LocalDate, DayInputs>): void {
  const scored = new Map<LocalDate, DayScores>();
  const carry = (date: LocalDate): CarriedScores | null => {
    const scores = scored.get(date);
    if (scores === undefined) return null;
    return {
      strain: scores.strain_score?.value ?? null,
      energyReserve: scores.energy_reserve_score?.value ?? null,
    };
  };
  for (const date of [...days.keys()].sort()) {
    const { inputs } = assembleInputs(SOMEBODY, {
      inputs: (before) => days.get(addDays(date, -before)) ?? null,
      scores: (before) => carry(addDays(date, -before)),
    });
    scored.set(date, scoreDay(inputs));
  }
}

type Measured = { readonly wallMs: number; readonly cpuMs: number };

async function measure(work: () => Promise<void>): Promise<Measured> {
  const before = process.cpuUsage();
  const startMs = performance.now();
  await work();
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}
