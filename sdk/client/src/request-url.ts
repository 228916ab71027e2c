// Builds the path and query of a request. Every call does so, so it uses no regular expression and splits a template once.

const partsByTemplate = new Map<string, readonly string[]>();

/** `values` replace the `{names}` of the template, in order. */
export function fillPath(template: string, values: readonly string[]): string | TypeError {
  const parts = partsOf(template);
  let path = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    const value = values[(index - 1) / 2];
    // An empty or relative part would name another resource.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
      return new TypeError(`${parts[index]} must be an id`);
    path += encodeURIComponent(value) + parts[index + 1];
  }
  return path;
}

/** Text and names alternate: `/v1/users/`, `user_id`, `/daily`. */
function partsOf(template: string): readonly string[] {
  let parts = partsByTemplate.get(template);
  if (parts === undefined) {
    parts = template.split(/[{}]/);
    partsByTemplate.set(template, parts);
  }
  return parts;
}

/** Skips parameters without a value. */
export function writeQuery(query: Readonly<Record<string, unknown>> | undefined): string {
  let text = '';
  for (const name in query) {
    const value = query[name];
    if (value === undefined || value === null) continue;
    text += `${text === '' ? '?' : '&'}${name}=${encodeURIComponent(String(value))}`;
  }
  return text;
}
