// Nights and their recharge, for the last 28 days or one date.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { AccountDay } from '../account-view.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { findNight, writeNight, writeRecharge } from './nights.ts';
import { lastDays, readDate } from './read-range.ts';
import { badRequest, refusePolar } from './refuse.ts';
import { dataRoute } from './registration.ts';
import { writeWithOffset } from './write-polar-time.ts';

const SLEEP = '/v3/users/sleep';
const RECHARGE = '/v3/users/nightly-recharge';

export const nightRoutes: readonly SimulatedRoute[] = [
  dataRoute({ path: SLEEP, answer: (call) => replyJson(200, { nights: list(call, writeNightOf(call)) }) }),
  dataRoute({
    path: `${SLEEP}/available`,
    answer: (call) => replyJson(200, { available: list(call, (day) => writeAvailable(call, day)) }),
  }),
  dataRoute({ path: `${SLEEP}/{date}`, answer: (call) => answerDate(call, writeNightOf(call)) }),
  dataRoute({ path: RECHARGE, answer: (call) => replyJson(200, { recharges: list(call, writeRechargeOf(call)) }) }),
  dataRoute({ path: `${RECHARGE}/{date}`, answer: (call) => answerDate(call, writeRechargeOf(call)) }),
];

const writeNightOf =
  ({ view, context }: PersonCall) =>
  (day: AccountDay) =>
    writeNight(view, day, context);
const writeRechargeOf =
  ({ view, context }: PersonCall) =>
  (day: AccountDay) =>
    writeRecharge(view, day, context);

function writeAvailable({ view }: PersonCall, day: AccountDay) {
  const night = findNight(day);
  if (night === null) return null;
  const [start, end] = [night.start, night.end].map((ms) => writeWithOffset(view.account.zone, ms));
  return { date: day.date, start_time: start, end_time: end };
}

function list<Night>(call: PersonCall, write: (day: AccountDay) => Night | null): Night[] {
  const { from, to } = lastDays(call);
  return call.view
    .days(from, to)
    .map(write)
    .filter((night) => night !== null);
}

function answerDate(call: PersonCall, write: (day: AccountDay) => unknown): RawReply {
  const date = readDate(call);
  if (date === null) return badRequest();
  const day = call.view.day(date);
  const found = day === null ? null : write(day);
  return found === null ? refusePolar('not_found') : replyJson(200, found);
}
