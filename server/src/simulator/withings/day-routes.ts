// Days, workouts, intraday data and nights. Several calls share one path; the action selects the call.
import { DAY_MS } from '../../domain/time/durations.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { listActivities } from './activity-rows.ts';
import { refuseParameter, replyBody } from './answer.ts';
import { writeIntraday } from './intraday.ts';
import { DEVICES } from './names.ts';
import { answerDated, readInterval } from './rows.ts';
import { listParts, listSummaries } from './sleep-rows.ts';
import { listWorkouts } from './workout-rows.ts';

const route = (
  path: string,
  action: string,
  answer: (call: PersonCall) => ReturnType<typeof replyBody>,
): SimulatedRoute => {
  return { method: 'POST', path, form: { action }, access: 'person', scope: 'user.activity', answer };
};

export const dayRoutes: readonly SimulatedRoute[] = [
  route('/v2/measure', 'getactivity', (call) =>
    answerDated(call, 'activities', (view, day) => listActivities(view, day, call.form)),
  ),
  route('/v2/measure', 'getworkouts', (call) =>
    answerDated(call, 'series', (view, day) => listWorkouts(view, day, call.form)),
  ),
  route('/v2/measure', 'getintradayactivity', (call) =>
    answerInterval(call, (from, to) => ({ series: writeIntraday(call.view, from, to, call.form) })),
  ),
  route('/v2/sleep', 'getsummary', (call) =>
    answerDated(call, 'series', (view, day) => listSummaries(view, day, call.form)),
  ),
  route('/v2/sleep', 'get', (call) =>
    answerInterval(call, (from, to) => ({
      series: listParts(call.view, from, to, call.form),
      model: DEVICES.watch.type,
      model_id: DEVICES.watch.modelid,
    })),
  ),
];

/** Longer intervals return only the first 24 hours. */
function answerInterval({ form }: PersonCall, write: (from: number, to: number) => unknown) {
  const interval = readInterval(form);
  if (interval === null) return refuseParameter('startdate or enddate is missing');
  if (interval.from > interval.to) return refuseParameter('startdate is after enddate');
  return replyBody(write(interval.from, Math.min(interval.to, interval.from + DAY_MS)));
}
