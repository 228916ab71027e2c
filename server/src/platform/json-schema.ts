// Makes JSON Schemas that carry their TypeScript type. Types and validation are TypeBox's; its own makers are not loaded, because
// they come with a language of types: 450 modules and 11 MB of memory, for the nine functions that schemas are written with.
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

// A schema is of the type that it describes only in the eyes of the compiler.
export const Type = makers as unknown as Makers;
