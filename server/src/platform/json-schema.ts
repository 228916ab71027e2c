// Creates JSON Schemas with their TypeScript type. Types and validation come from TypeBox; its own builders are not loaded,
// because they need 450 modules and 11 MB of memory, and schemas use only nine functions.
import type TypeBox from 'typebox';
import type { TObjectOptions, TRecord, TSchema, TStringKey } from 'typebox';

type Makers = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Integer' | 'Number' | 'Object' | 'Optional' | 'String' | 'Unsafe'
> & {
  /** An object whose keys are data. */
  Dictionary<Value extends TSchema>(values: Value, options?: TObjectOptions): TRecord<TStringKey, Value>;
};

type Schema = Readonly<Record<string, unknown>>;

const optionalSchemas = new WeakSet<Schema>();

const makers = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Dictionary: (values: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object(properties: Readonly<Record<string, Schema>>, options?: Schema) {
    const required = Object.entries(properties).flatMap(([name, schema]) =>
      optionalSchemas.has(schema) ? [] : [name],
    );
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional(schema: Schema) {
    const optional = { ...schema };
    optionalSchemas.add(optional);
    return optional;
  },
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Unsafe: (schema: Schema) => schema,
};

// The described type exists only for the compiler.
export const Type = makers as unknown as Makers;
