// Compares a request body with a pattern, and fills captured texts into a reply. Pure.

export type Captured = Map<string, string>;

/** Null if it matches, else what differs. */
export function findMismatch(pattern: unknown, value: unknown, captured: Captured, path = 'body'): string | null {
  if (typeof pattern === 'string' && pattern.startsWith('$')) return capture(pattern, value, captured, path);
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length)
      return `${path} must be a list of ${pattern.length}, not ${JSON.stringify(value)}`;
    return firstOf(pattern.map((part, index) => () => findMismatch(part, value[index], captured, `${path}[${index}]`)));
  }
  if (typeof pattern === 'object' && pattern !== null) {
    if (typeof value !== 'object' || value === null) return `${path} must be an object, not ${JSON.stringify(value)}`;
    const fields = value as Record<string, unknown>;
    return firstOf(
      Object.entries(pattern).map(
        ([name, part]) =>
          () =>
            findMismatch(part, fields[name], captured, `${path}.${name}`),
      ),
    );
  }
  return pattern === value ? null : `${path} must be ${JSON.stringify(pattern)}, not ${JSON.stringify(value)}`;
}

function firstOf(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const mismatch = check();
    if (mismatch !== null) return mismatch;
  }
  return null;
}

/** `$!name` must differ from every captured text. */
function capture(pattern: string, value: unknown, captured: Captured, path: string): string | null {
  if (typeof value !== 'string' || value === '') return `${path} must be a text`;
  const isNew = pattern.startsWith('$!');
  const name = pattern.replace(/^\$!?/, '');
  if (isNew && [...captured.values()].includes(value)) return `${path} must be new, not ${value} again`;
  const before = captured.get(name);
  if (before !== undefined && before !== value) return `${path} must be ${before} again, not ${value}`;
  captured.set(name, value);
  return null;
}

export function fillIn(value: unknown, captured: Captured): unknown {
  if (typeof value === 'string' && value.startsWith('$')) return captured.get(value.slice(1)) ?? value;
  if (Array.isArray(value)) return value.map((part) => fillIn(part, captured));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fillIn(part, captured)]));
}
