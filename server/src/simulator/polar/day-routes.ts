// Daily activity and continuous heart rate, by date or for a range of dates.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { type ActivityParts, writeActivity, writeHeartRate } from './days.ts';
import { readDate, readRange } from './read-range.ts';
import { badRequest, nothingThere, refusePolar } from './refuse.ts';
import { dataRoute } from './registration.ts';

const ACTIVITIES = '/v3/users/activities';
const HEART_RATE = '/v3/users/continuous-heart-rate';

export const dayRoutes: readonly SimulatedRoute[] = [
  dataRoute({ path: ACTIVITIES, answer: answerActivities }),
  dataRoute({ path: `${ACTIVITIES}/`, answer: answerActivities }),
  dataRoute({
    path: `${ACTIVITIES}/{date}`,
    answer: (call) => answerDate(call, (day) => writeActivity(call.view, day, readParts(call)), nothingThere()),
  }),
  dataRoute({ path: HEART_RATE, answer: answerHeartRates }),
  dataRoute({
    path: `${HEART_RATE}/{date}`,
    answer: (call) => answerDate(call, (day) => writeHeartRate(call.view, day, call.context), refusePolar('not_found')),
  }),
];

type Day = ReturnType<PersonCall['view']['days']>[number];

function answerActivities(call: PersonCall): RawReply {
  const range = readRange(call);
  if (range === null) return badRequest();
  const days = call.view.days(range.from, range.to);
  return replyJson(
    200,
    days.flatMap((day) => writeActivity(call.view, day, readParts(call)) ?? []),
  );
}

/** Heart rate has no daily documents of its own. */
function answerHeartRates(call: PersonCall): RawReply {
  const range = call.query.has('from') && call.query.has('to') ? readRange(call) : null;
  if (range === null) return badRequest();
  const days = call.view.days(range.from, range.to);
  return replyJson(200, { heart_rates: days.flatMap((day) => writeHeartRate(call.view, day, call.context) ?? []) });
}

function answerDate(call: PersonCall, write: (day: Day) => unknown, nothing: RawReply): RawReply {
  const date = readDate(call);
  if (date === null) return badRequest();
  const day = call.view.day(date);
  const found = day === null ? null : write(day);
  return found === null ? nothing : replyJson(200, found);
}

function readParts({ query }: PersonCall): ActivityParts {
  const isRequested = (name: string) => query.get(name) === 'true';
  return {
    steps: isRequested('steps'),
    zones: isRequested('activity_zones'),
    stamps: isRequested('inactivity_stamps'),
  };
}
