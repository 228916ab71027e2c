// The sentence that explains a value, made from its method and the outcomes of its devices. Pure.
import type { Replies } from '../../api/types.gen.ts';
import { shortDate } from '../../shared/time/format-time.ts';
import { lowerFirst } from '../../shared/words/lower-first.ts';
import { METHOD_NAMES } from '../../shared/words/methods.ts';
import { formatValue } from '../../shared/words/values.ts';

export type Explanation = Replies['explainDayValue'];
export type Candidate = Explanation['candidates'][number];
/** A device is drawn with its shape. */
type Piece = string | { readonly device: number } | { readonly strong: string };

/** What each method does, after "because". */
const METHOD_RULES = {
  merge: 'In each quarter hour the source that ranks highest counts; no quarter hour counts twice.',
  priority: '',
  max: 'The method takes the largest value of all providers.',
  avg: 'The method takes the mean of all providers.',
  sum: 'The method adds up all providers.',
} as const;

export function explainValue(explanation: Explanation): Piece[] {
  const { value, computed, candidates, absence, method } = explanation;
  const counted = candidates.filter(isCounted);
  const [first] = counted;
  if (value === null) return [absence?.message ?? 'No source has a value for this day.'];
  if (computed !== null) return ['Computed, not taken from a source: ', lowerFirst(computed), '.'];
  if (first === undefined) return ['It comes from sleeps and workouts of this day.'];
  if (candidates.length === 1) return [...origin(explanation, first), ', the only source that has one.'];
  if (counted.length > 1) return [...listShares(explanation, counted), '. ', METHOD_RULES[method ?? 'merge']];
  const others = candidates.filter((one) => !isCounted(one));
  return [...origin(explanation, first), '. ', ...explainOthers(explanation, others, first)];
}

export function isCounted({ outcome }: Pick<Candidate, 'outcome'>): boolean {
  return outcome === 'used' || outcome === 'partly_used';
}

function origin({ quarter_hours }: Explanation, { device, origin: from }: Candidate): Piece[] {
  if (from === 'sessions') return ['It is taken from the records of the ', { device }];
  if (from === 'imported') return ['It was imported with the data of the ', { device }];
  return [quarter_hours.length > 0 ? 'The whole day is taken from the ' : 'It is taken from the ', { device }];
}

function listShares(explanation: Explanation, counted: readonly Candidate[]): Piece[] {
  return counted.flatMap(({ contributed, device }, index): Piece[] => [
    index === 0 ? '' : index === counted.length - 1 ? ' and ' : ', ',
    `${formatValue(contributed, explanation)} from the `,
    { device },
  ]);
}

function explainOthers({ method }: Explanation, others: readonly Candidate[], first: Candidate): Piece[] {
  if (others.length === 0) return [];
  const off = others.filter(({ outcome }) => outcome === 'disabled');
  const left = others.filter(({ outcome }) => outcome !== 'disabled');
  const pieces: Piece[] = [];
  if (left.length > 0)
    pieces.push(
      'What the ',
      ...joinDevices(left),
      ' measured is not counted, because ',
      ...reason(method, left, first),
      '. ',
    );
  if (off.length > 0) pieces.push('The ', ...joinDevices(off), ' is disabled in the consolidation settings.');
  return pieces;
}

function reason(method: Explanation['method'], [one]: readonly Candidate[], first: Candidate): Piece[] {
  if (one?.outcome === 'superseded') return ['a later manual entry is used'];
  if (one?.outcome === 'imported_copy') return ['it is a copy of what another source reports'];
  if (one?.outcome === 're_export') return ['it repeats what the connected account of the same vendor reports'];
  if (one?.outcome === 'smaller') return ['the method is ', { strong: 'largest' }, ' and its value is smaller'];
  if (one?.outcome === 'other_record') return ['another record of the same session is used'];
  if (one?.outcome === 'parts_known') return ['the parts of this sum are known'];
  return [
    'the method is ',
    { strong: METHOD_NAMES[method ?? 'priority'] },
    ' and the ',
    { device: first.device },
    ' ranks first',
  ];
}

function joinDevices(candidates: readonly Candidate[]): Piece[] {
  return candidates.flatMap(({ device }, index): Piece[] => [
    index === 0 ? '' : index === candidates.length - 1 ? ' and the ' : ', the ',
    { device },
  ]);
}

const OUTCOMES: Readonly<Record<Candidate['outcome'], string>> = {
  used: 'counted',
  partly_used: 'partly counted',
  outranked: 'not counted',
  other_record: 'not counted',
  superseded: 'not counted: later manual entry',
  imported_copy: 'not counted: imported copy',
  re_export: 'not counted: re-export',
  smaller: 'not counted: smaller',
  disabled: 'not counted: disabled',
  parts_known: 'not counted: parts are known',
  no_value: 'no value',
};

export function nameOutcome({ outcome }: Pick<Candidate, 'outcome'>): string {
  return OUTCOMES[outcome];
}

/** Plain text for a ticket: value, day, zone, every source with its number and outcome, method. */
export function writeAnswer(explanation: Explanation, nameDevice: (device: number) => string): string {
  const { name, date, zone, value, candidates, method, default_method: usual, setting } = explanation;
  const text = explainValue(explanation)
    .map((piece) => (typeof piece === 'string' ? piece : 'device' in piece ? nameDevice(piece.device) : piece.strong))
    .join('')
    .trim();
  const given = explanation.alternatives.find((one) => one.method === usual);
  const lines = [
    `${name} on ${shortDate(date)} ${date.slice(0, 4)} (${zone}): ${formatValue(value, explanation)}`,
    text,
    ...candidates.map(
      (one) =>
        `${one.rank}. ${nameDevice(one.device)}: ${formatValue(one.value, explanation)}, ${nameOutcome(one)}${
          one.outcome === 'partly_used' ? ` (${formatValue(one.contributed, explanation)})` : ''
        }`,
    ),
  ];
  if (method !== null)
    lines.push(`Method: ${METHOD_NAMES[method]}${setting.overridden ? ', changed for this user' : ', the default'}.`);
  if (setting.overridden && usual !== null && given && method !== usual)
    lines.push(`The default, ${METHOD_NAMES[usual]}, would give ${formatValue(given.value, explanation)}.`);
  return lines.filter((line) => line !== '').join('\n');
}
