// TypeBox schemas shared by all endpoints. Requests are closed objects: an unknown field is an error.

import type { Static, TProperties, TSchema, TUnsafe } from 'typebox';
import { Type } from '../json-schema.ts';

export function requestObject<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** `type: [x, "null"]` instead of `anyOf`: validation reports one error, and the serialiser needs no second validator. */
export function nullable<T extends { type: string } & TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, ...rest } = schema as { type: string } & Record<string, unknown>;
  const choices = 'enum' in rest && Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {};
  return Type.Unsafe<Static<T> | null>({ ...rest, ...choices, type: [type, 'null'] });
}

/** An optional parameter or field. Validation fills in the default, so handlers always get a value. */
export function withDefault<T extends TSchema>(schema: T, value: Static<T>): T {
  return Type.Optional({ ...schema, default: value }) as unknown as T;
}

export function oneOfWords<const Words extends readonly string[]>(words: Words, options: Record<string, unknown> = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words, ...options }) as TUnsafe<Words[number]> & {
    type: string;
  };
}

const expectations = new Map<string, string>();

/** A pattern, with what an error says instead of the regular expression: "must …". */
export function matching(pattern: string, expectation: string): { readonly pattern: string } {
  expectations.set(pattern, expectation);
  return { pattern };
}

export const expectationOf = (pattern: string): string | undefined => expectations.get(pattern);

export const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });
export const uuid = (description: string) => Type.String({ format: 'uuid', description });

export const errorBody = Type.Object(
  {
    error: Type.String({ description: 'code, stable' }),
    message: Type.String({ description: 'human-readable; may change' }),
    details: Type.Object({}, { additionalProperties: true, description: 'always present; {} if there are no details' }),
  },
  { title: 'Error' },
);
