// Numbers that differ by sex.

export type Sex = 'female' | 'male' | 'other';

/** `middle`: sex unknown or other. */
export type BySex<Value> = Readonly<Record<'female' | 'male' | 'middle', Value>>;

export function pickBySex<Value>(values: BySex<Value>, sex: Sex | null): Value {
  return values[sex === null || sex === 'other' ? 'middle' : sex];
}
