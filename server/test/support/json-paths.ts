// Lists fields of parsed JSON by path, and copies JSON with one field changed.

export type JsonPath = readonly (string | number)[];

/** The first entries of a list, or of a series by time, represent the others. */
const ENTRIES = 30;
/** Members of an object that is used as a list: names that are numbers or times of day. */
const ENTRY_NAME = /^\d[\d:]*$/;

export function isEntryName(name: string | number): boolean {
  return ENTRY_NAME.test(String(name));
}

/** Every field below a value, containers included. */
export function listPaths(value: unknown): JsonPath[] {
  return listMembers(value).flatMap(([name, part]) => [[name], ...listPaths(part).map((path) => [name, ...path])]);
}

/** The entries of the first list or series in each response; a response without one is a record itself. */
export function listRecordPaths(reported: Readonly<Record<string, unknown>>): JsonPath[] {
  return Object.entries(reported)
    .filter(([, value]) => value !== null && value !== undefined)
    .flatMap(([name, value]) => findEntries(value, 2)?.map((path) => [name, ...path]) ?? [[name]]);
}

function findEntries(value: unknown, depth: number): JsonPath[] | null {
  const members = listMembers(value);
  if (Array.isArray(value) || (members.length > 0 && members.every(([name]) => isEntryName(name))))
    return members.map(([name]) => [name]);
  if (depth === 0) return null;
  for (const [name, part] of members) {
    const found = typeof part === 'object' && part !== null ? findEntries(part, depth - 1) : null;
    if (found !== null) return found.map((path) => [name, ...path]);
  }
  return null;
}

function listMembers(value: unknown): [string | number, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return [...value.entries()].slice(0, ENTRIES);
  const members = Object.entries(value);
  return members.every(([name]) => isEntryName(name)) ? members.slice(0, ENTRIES) : members;
}

export function valueAt(whole: unknown, path: JsonPath): unknown {
  return path.reduce((value, name) => (value as Record<string | number, unknown>)[name], whole);
}

export function copyWith(whole: unknown, path: JsonPath, value: unknown): unknown {
  return changeAt(whole, path, (holder, name) => {
    holder[name] = value;
  });
}

export function copyWithout(whole: unknown, path: JsonPath): unknown {
  return changeAt(whole, path, (holder, name) => {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  });
}

/** Keeps only these fields of the record at `path`. Lists keep their length; removed entries become null. */
export function keepOnly(whole: unknown, path: JsonPath, kept: readonly JsonPath[]): unknown {
  const strip = (value: unknown, at: JsonPath): unknown => {
    if (kept.some((one) => one.length === at.length && at.every((name, index) => one[index] === name))) {
      if (typeof value !== 'object' || value === null) return value;
    }
    if (Array.isArray(value)) return value.map((part, index) => strip(part, [...at, index]) ?? null);
    if (typeof value !== 'object' || value === null) return undefined;
    const parts = Object.entries(value).map(([name, part]) => [name, strip(part, [...at, name])] as const);
    return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
  };
  return copyWith(whole, path, strip(valueAt(whole, path), path));
}

function changeAt(
  whole: unknown,
  path: JsonPath,
  change: (holder: Record<string | number, unknown>, name: string | number) => void,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return whole;
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<string | number, unknown>;
  if (rest.length === 0) change(copy, name);
  else copy[name] = changeAt(copy[name], rest, change);
  return copy;
}
