// The codes of rejected upload items, and their collection. All rejects are counted; only the first are listed.

/** The codes with their meaning. They are part of the API: add codes, never rename them. */
export const REJECT_CODES = {
  invalid_type: 'the item or a field has the wrong JSON type',
  missing_field: 'a required field is missing or null',
  unknown_field: 'the item has an unknown field',
  invalid_choice: 'the value is not one of the documented values',
  invalid_text: 'the text is empty, too long, or cannot be stored (NUL, half a surrogate pair)',
  invalid_timestamp: 'not YYYY-MM-DDTHH:MM:SS with Z or an offset, or not an existing time',
  invalid_date: 'not YYYY-MM-DD, or not an existing day',
  in_future: 'more than 24 hours in the future',
  end_before_start: 'the end is before the start, or for a sleep, a workout or a stage not after it',
  too_long: 'the item lasts longer than allowed',
  too_many: 'a list inside the item has too many entries',
  unknown_metric: 'the catalog has no such metric',
  computed_metric: 'the service computes this metric; it cannot be uploaded',
  out_of_scope: 'the session does not have the scope of this category',
  invalid_unit: 'the metric does not accept this unit',
  out_of_range: 'physically impossible, not a finite number, or a time before 1900',
  contradictory_totals: 'the totals contradict each other, such as more time asleep than in bed',
  stage_outside_session: 'a stage is outside its sleep',
  sample_outside_workout: 'a heart-rate sample is outside its workout',
  over_limit: 'more items of this kind than one upload may have; send it in another upload',
  too_dense:
    'more than 216,000 samples of one metric within six hours, or more than 200 sleeps or workouts that start on one UTC day',
  device_disconnected: 'the source was deleted; create a new SDK session to connect it again',
} as const satisfies Record<string, string>;

export type RejectCode = keyof typeof REJECT_CODES;
export type Reject = { readonly path: string; readonly error: RejectCode; readonly message: string };

/** An empty `field` means the item itself. */
export type ItemFault = { readonly field: string; readonly error: RejectCode; readonly message: string };

/** About 150 KB of reply. An upload of only invalid items could have half a million. */
export const MAX_NAMED_REJECTS = 1_000;

export type Rejects = { readonly named: Reject[]; count: number };

export function createRejects(): Rejects {
  return { named: [], count: 0 };
}

export function addReject(rejects: Rejects, list: string, index: number, fault: ItemFault): void {
  rejects.count += 1;
  if (rejects.named.length >= MAX_NAMED_REJECTS) return;
  const path = `${list}[${index}]${fault.field === '' ? '' : '.'}${fault.field}`;
  rejects.named.push({ path, error: fault.error, message: fault.message });
}

const MAX_QUOTED = 60;

/** Quotes client text, shortened and safe to store. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

/** Cleans a field name for use in a path. */
export function cleanName(name: string): string {
  return JSON.stringify(shorten(name)).slice(1, -1);
}

function shorten(text: string): string {
  return text.length <= MAX_QUOTED ? text.toWellFormed() : `${text.slice(0, MAX_QUOTED).toWellFormed()}…`;
}
