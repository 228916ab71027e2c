// Writes Python types of JSON schemas: a TypedDict per object, named by the title of the schema or by its place.
import type { Schema } from './schema-types.ts';

export type PythonTypes = {
  /** `place` names an object without a title. */
  typeOf(schema: Schema, place: string): string;
  /** The classes so far, sorted by name. */
  declarations(): string[];
};

const TITLE = /^[A-Z][A-Za-z0-9]*$/;
export const KEYWORDS = new Set(['from', 'in', 'is', 'not', 'class', 'def', 'pass', 'import', 'global']);

export function createPythonTypes(): PythonTypes {
  const classes = new Map<string, string>();

  function typeOf(schema: Schema, place: string): string {
    const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
    if (choices) return unionOf(choices.map((choice, index) => typeOf(choice, `${place}${index || ''}`)));
    if ('const' in schema) return `Literal[${literal(schema.const)}]`;
    if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, place)));
    switch (schema.type) {
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'array':
        return arrayOf(schema, place);
      case 'object':
        return objectOf(schema, place);
      default:
        return 'Any';
    }
  }

  function arrayOf({ items }: Schema, place: string): string {
    if (items === undefined || Array.isArray(items)) return 'List[Any]';
    return `List[${typeOf(items as Schema, `${place}Item`)}]`;
  }

  function objectOf(schema: Schema, place: string): string {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    if (properties.length === 0) return `Dict[str, ${mapValueOf(schema, place)}]`;
    const { title } = schema;
    const name = typeof title === 'string' && TITLE.test(title) ? title : place;
    const required = new Set((schema.required as readonly string[] | undefined) ?? []);
    const members = properties.map(([key, value]): Member => {
      const part = key.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
      return { key, type: typeOf(value, `${name}${part}`), isRequired: required.has(key) };
    });
    return declare(name, place, members);
  }

  function mapValueOf(schema: Schema, place: string): string {
    const [pattern] = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>);
    const values = pattern ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null);
    return values ? typeOf(values as Schema, `${place}Value`) : 'Any';
  }

  /** Two objects with one title but other fields are two types. */
  function declare(name: string, place: string, members: readonly Member[]): string {
    const text = writeTypedDict(name, members);
    const known = classes.get(name);
    if (known === undefined || known === text) classes.set(name, text);
    else if (name !== place) return declare(place, place, members);
    else return declare(`${name}Other`, `${name}Other`, members);
    return name;
  }

  return {
    typeOf,
    declarations: () => [...classes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
  };
}

type Member = { readonly key: string; readonly type: string; readonly isRequired: boolean };

/** Python 3.9 has no NotRequired, so the required keys are in a class of their own. */
function writeTypedDict(name: string, members: readonly Member[]): string {
  const required = members.filter(({ isRequired }) => isRequired);
  const optional = members.filter(({ isRequired }) => !isRequired);
  if (members.some(({ key }) => KEYWORDS.has(key) || !/^[A-Za-z_]\w*$/.test(key))) {
    const fields = members.map(({ key, type }) => `"${key}": "${type.replaceAll('"', "'")}"`);
    return `${name} = TypedDict("${name}", {${fields.join(', ')}}, total=${optional.length === 0 ? 'True' : 'False'})`;
  }
  if (optional.length === 0) return writeBody(`class ${name}(TypedDict):`, required);
  if (required.length === 0) return writeBody(`class ${name}(TypedDict, total=False):`, optional);
  return [
    writeBody(`class _${name}Required(TypedDict):`, required),
    writeBody(`class ${name}(_${name}Required, total=False):`, optional),
  ].join('\n\n');
}

function writeBody(head: string, members: readonly Member[]): string {
  return [head, ...members.map(({ key, type }) => `    ${key}: ${type}`)].join('\n');
}

function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const others = distinct.filter((type) => type !== 'None');
  const union = others.length === 1 ? String(others[0]) : `Union[${others.join(', ')}]`;
  return distinct.includes('None') ? `Optional[${union}]` : union;
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
