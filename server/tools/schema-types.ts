// Writes the TypeScript type of a JSON schema. A schema with a title becomes a named type; the caller prints the names it collected.

export type Schema = Readonly<Record<string, unknown>>;

export type TypeWriter = {
  /** Indented by `indent` from its second line on. */
  typeOf(schema: Schema, indent: string): string;
  /** The types of the titled schemas so far, by title. */
  readonly named: ReadonlyMap<string, string>;
};

type WriterOptions = {
  /** Titled schemas become named types. */
  readonly hasNames: boolean;
  /** Descriptions and defaults become comments. */
  readonly hasComments: boolean;
};

const TYPE_NAME = /^[A-Z][A-Za-z0-9]*$/;

export function createTypeWriter({ hasNames, hasComments }: WriterOptions): TypeWriter {
  const named = new Map<string, string>();

  function typeOf(schema: Schema, indent: string): string {
    const { title } = schema;
    if (Array.isArray(schema.type) && !Array.isArray(schema.enum))
      return [...new Set(schema.type.map((type) => typeOf({ ...schema, type }, indent)))].join(' | ');
    const isNamed = hasNames && typeof title === 'string' && TYPE_NAME.test(title) && schema.type !== 'null';
    return isNamed ? nameOf(title, schema, indent) : unnamedType(schema, indent);
  }

  /** Two schemas with one title are one type only if they are equal. */
  function nameOf(title: string, schema: Schema, indent: string): string {
    const type = unnamedType(schema, '');
    const known = named.get(title);
    if (known !== undefined && known !== type) return unnamedType(schema, indent);
    named.set(title, type);
    return title;
  }

  function unnamedType(schema: Schema, indent: string): string {
    const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
    if (choices) return [...new Set(choices.map((choice) => typeOf(choice, indent)))].join(' | ');
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return String(schema.type);
      case 'number':
      case 'integer':
        return 'number';
      case 'array':
        return arrayOf(schema, indent);
      case 'object':
        return objectOf(schema, indent);
      default:
        return 'unknown';
    }
  }

  function arrayOf(schema: Schema, indent: string): string {
    const { items } = schema as { items?: Schema | readonly Schema[] };
    if (Array.isArray(items)) return `[${items.map((item) => typeOf(item, indent)).join(', ')}]`;
    return `Array<${items ? typeOf(items as Schema, indent) : 'unknown'}>`;
  }

  function objectOf(schema: Schema, indent: string): string {
    const {
      properties,
      required = [],
      additionalProperties,
      patternProperties,
    } = schema as {
      properties?: Record<string, Schema>;
      required?: readonly string[];
      additionalProperties?: Schema | boolean;
      patternProperties?: Record<string, Schema>;
    };
    const [pattern] = Object.values(patternProperties ?? {});
    const values = pattern ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    const isMap =
      properties === undefined || ((values !== undefined || additionalProperties === true) && isEmpty(properties));
    if (isMap) return `Record<string, ${values ? typeOf(values, indent) : 'unknown'}>`;
    const inner = `${indent}  `;
    const members = Object.entries(properties).map(
      ([name, value]) =>
        `${commentOf(value, inner)}${inner}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(value, inner)};`,
    );
    return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n${indent}}`;
  }

  function commentOf({ description, default: preset }: Schema, indent: string): string {
    const text = [description, preset !== undefined && `default ${preset}`].filter(Boolean).join('; ');
    if (!hasComments || text === '') return '';
    return `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`;
  }

  return { typeOf, named };
}

function isEmpty(properties: Record<string, Schema>): boolean {
  return Object.keys(properties).length === 0;
}

function keyOf(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}
