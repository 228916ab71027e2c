// A journey in both forms with the client that @hey-api/openapi-ts generates.

import type {
  DailyValueForm1,
  Event,
  ScoreForm1,
  SleepForm1,
  SleepForm2,
  WorkoutForm1,
  WorkoutForm2,
} from './generated';
import { createUser, listEvents, listSleep, listWorkouts, readDaily, readScores } from './generated';
import { client } from './generated/client.gen';

declare const process: { env: Record<string, string | undefined>; exitCode?: number };
declare const console: { log(text: string): void };

client.setConfig({ baseUrl: process.env.TRIBUTARY_URL, auth: process.env.TRIBUTARY_API_KEY });

const form1 = { headers: { 'Api-Form': '1' }, throwOnError: true } as const;
const form2 = { headers: { 'Api-Form': '2' }, throwOnError: true } as const;
const DAY_MS = 86_400_000;
const start_date = new Date(Date.now() - 7 * DAY_MS).toISOString().slice(0, 10);
const end_date = new Date().toISOString().slice(0, 10);

async function main(): Promise<void> {
  const created = await createUser({ ...form2, body: { external_ref: `journey-${Date.now()}` } });
  if (!('id' in created.data)) throw new Error('Form 2 returns the bare user');
  const path = { user_id: created.data.id };
  const counts = { ...(await readForm1(path)), ...(await readForm2(path)), events: (await readEvents()).length };
  for (const [name, count] of Object.entries(counts)) if (count === 0) throw new Error(`no ${name}`);
  console.log(JSON.stringify(counts));
}

async function readForm1(path: { user_id: string }): Promise<Record<string, number>> {
  const query = { start_date, end_date };
  const daily = (await readDaily({ ...form1, path, query })).data;
  const sleep = (await listSleep({ ...form1, path, query: { ...query, include: 'stages' } })).data;
  const workouts = (await listWorkouts({ ...form1, path, query })).data;
  const scores = (await readScores({ ...form1, path })).data;
  if (!('data' in daily) || 'next_cursor' in sleep || 'next_cursor' in workouts || !('data' in scores))
    throw new Error('Form 1 returns envelopes');
  const values: DailyValueForm1[] = daily.data;
  const nights: SleepForm1[] = sleep.data.filter((night) => night.is_main_sleep);
  const sessions: WorkoutForm1[] = workouts.data;
  const current: ScoreForm1[] = scores.data;
  return { daily1: values.length, sleep1: nights.length, workouts1: sessions.length, scores1: current.length };
}

async function readForm2(path: { user_id: string }): Promise<Record<string, number>> {
  const query = { from_date: start_date, to_date: end_date };
  const daily = (await readDaily({ ...form2, path, query: { ...query, types: 'steps' } })).data;
  const sleep = (await listSleep({ ...form2, path, query })).data;
  const workouts = (await listWorkouts({ ...form2, path, query })).data;
  const scores = (await readScores({ ...form2, path, query })).data;
  if (!('series' in daily) || !('next_cursor' in sleep) || !('next_cursor' in workouts) || !('latest' in scores))
    throw new Error('Form 2 returns columns and cursors');
  const steps = (daily.series.steps ?? []).filter((value) => value !== null);
  const nights: SleepForm2[] = sleep.data;
  const sessions: WorkoutForm2[] = workouts.data;
  return {
    daily2: steps.length,
    sleep2: nights.length,
    workouts2: sessions.length,
    scores2: Object.values(scores.latest).filter((score) => score !== null).length,
  };
}

async function readEvents(): Promise<Event[]> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { events } = (await listEvents({ ...form2, query: { limit: 100 } })).data;
    if (events.length > 0) return events;
  }
  return [];
}

main().catch((error: unknown) => {
  console.log(String(error instanceof Error ? error.stack : JSON.stringify(error)));
  process.exitCode = 1;
});
