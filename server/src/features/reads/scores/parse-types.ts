// The score types that a request names. Gap G-31 defines the default of Form 2.
import { SCORE_TYPES, type ScoreType } from '../../../domain/scores/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { parseIdList } from '../shared/index.ts';

/** The nutrition score needs logged food, so a request has to name it. */
const FORM_2_DEFAULT: readonly ScoreType[] = SCORE_TYPES.filter((type) => type !== 'nutrition_score');

/** In the order of the specification, not of the request. All if the request names none. */
export function parseHistoryTypes(text: string | undefined): readonly ScoreType[] {
  if (text === undefined) return SCORE_TYPES;
  const requested = new Set(parseTypes(text));
  return SCORE_TYPES.filter((type) => requested.has(type));
}

/** In the requested order. */
export function parseForm2Types(text: string | undefined): readonly ScoreType[] {
  return text === undefined ? FORM_2_DEFAULT : parseTypes(text);
}

function parseTypes(text: string): ScoreType[] {
  const ids = parseIdList(text);
  const types = ids.filter(isScoreType);
  if (types.length === 0 || types.length < ids.length)
    throw new AppError('invalid_types', { details: { unsupported: ids.filter((id) => !isScoreType(id)) } });
  return types;
}

function isScoreType(id: string): id is ScoreType {
  return (SCORE_TYPES as readonly string[]).includes(id);
}
