// What can be wrong with one item of an upload, and the list of what was. All are counted; the first are named.

/** Stable codes, each with when it is given. Part of the contract: add, never rename. */
export const REJECT_CODES = {
  invalid_type: 'the item or a field has another JSON type than documented',
  missing_field: 'a required field is not there, or null',
  unknown_field: 'a field that the item does not have',
  invalid_choice: 'a word that is none of the documented ones',
  invalid_text: 'empty, too long, or text that cannot be stored (NUL, half a surrogate pair)',
  invalid_timestamp: 'not YYYY-MM-DDTHH:MM:SS with Z or an offset, or no moment of the calendar',
  invalid_date: 'not YYYY-MM-DD, or no day of the calendar',
  in_future: 'more than 24 hours ahead',
  end_before_start: 'the end lies before the start; a sleep, a workout or a stage must last',
  too_long: 'lasts longer than such an item can',
  too_many: 'a list inside an item has more entries than it can',
  unknown_metric: 'the catalog has no such metric',
  computed_metric: 'the service computes this metric, nobody sends it',
  out_of_scope: 'the session was not granted this category',
  invalid_unit: 'the metric is not accepted in this unit',
  out_of_range: 'physically impossible, no finite number, or a time before 1900',
  contradictory_totals: 'totals that cannot all be true, such as more time asleep than in bed',
  stage_outside_session: 'a stage lies outside its sleep',
  sample_outside_workout: 'a heart-rate sample lies outside its workout',
  over_limit: 'more of its kind than one upload takes; send it in another one',
  too_dense:
    'more samples of one metric than ten a second over six hours, or more than 200 sleeps or workouts that begin on one UTC day',
  device_disconnected: 'the source was deleted; a new SDK session connects it again',
} as const satisfies Record<string, string>;

export type RejectCode = keyof typeof REJECT_CODES;
export type Reject = { readonly path: string; readonly error: RejectCode; readonly message: string };

/** Where in an item, what, and in words. An empty field means the item itself. */
export type Fault = { readonly field: string; readonly error: RejectCode; readonly message: string };

/** More than anybody mends by hand, about 150 KB of answer; an upload of nothing but faults could have half a million. */
export const MAX_NAMED_REJECTS = 1_000;

export type Rejects = { readonly named: Reject[]; count: number };

export function createRejects(): Rejects {
  return { named: [], count: 0 };
}

export function addReject(rejects: Rejects, list: string, index: number, fault: Fault): void {
  rejects.count += 1;
  if (rejects.named.length >= MAX_NAMED_REJECTS) return;
  const path = `${list}[${index}]${fault.field === '' ? '' : '.'}${fault.field}`;
  rejects.named.push({ path, error: fault.error, message: fault.message });
}

const MAX_QUOTED = 60;

/** What a client sent, short enough to repeat and safe to store. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** A field's name as part of a path. */
export function cleanName(name: string): string {
  return JSON.stringify(shorten(name)).slice(1, -1);
}

function shorten(text: string): string {
  return text.length <= MAX_QUOTED ? text.toWellFormed() : `${text.slice(0, MAX_QUOTED).toWellFormed()}…`;
}
