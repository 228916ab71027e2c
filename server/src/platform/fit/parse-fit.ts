// Parses FIT files, the recordings of most sports watches and bike computers: the messages of an activity, in metric units.
// https://developer.garmin.com/fit/protocol/
import FitParser from 'fit-file-parser';

/** The fields that are used, of the messages that the parser knows. */
export type FitMessage = Readonly<Record<string, unknown>>;
export type FitFile = {
  readonly sessions: readonly FitMessage[];
  readonly laps: readonly FitMessage[];
  readonly records: readonly FitMessage[];
  readonly file_ids: readonly FitMessage[];
  readonly weight_scales: readonly FitMessage[];
};

const GENERIC_SPORTS: ReadonlySet<unknown> = new Set(['generic', 'training', 'fitness_equipment']);

/** Throws an Error that says why the file cannot be read. */
export function parseFit(bytes: Uint8Array): FitFile {
  let parsed: Partial<FitFile> | null = null;
  let problem: string | null = null;
  const content = Uint8Array.from(bytes).buffer; // a copy, because the parser reads the whole buffer
  new FitParser({ mode: 'list', lengthUnit: 'm' }).parse(content, (error, data) => {
    if (error) problem = String(error);
    else parsed = (data ?? null) as unknown as Partial<FitFile> | null;
  });
  if (problem !== null || parsed === null) throw new Error(problem ?? 'no messages');
  const { sessions = [], laps = [], records = [], file_ids = [], weight_scales = [] } = parsed as Partial<FitFile>;
  return { sessions, laps, records, file_ids, weight_scales };
}

/** A generic sport is described by its details. */
export function sportOfFit({ sport, sub_sport: detail }: FitMessage): string | null {
  if (GENERIC_SPORTS.has(sport) && typeof detail === 'string' && detail !== 'generic') return detail;
  return typeof sport === 'string' ? sport : null;
}

/** NaN: no time. */
export function fitTime(value: unknown): number {
  return value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

export function fitNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
