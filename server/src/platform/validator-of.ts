// Compiles the validator of a schema when it is first used. Compiling those of all jobs and routes would slow down every start.
import type { TObject } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';

const validators = new WeakMap<TObject, Validator>();

export function validatorOf(schema: TObject): Validator {
  return validators.getOrInsertComputed(schema, () => Compile(schema) as Validator);
}
