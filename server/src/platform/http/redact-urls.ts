// Redacts secrets in URLs of raw routes.
export type ParamMarks = Readonly<Record<string, 'secret' | 'plain'>>;
type Redact = (text: string) => string;

const CENSORED = '[redacted]';
const VALUE = String.raw`[^/?#\s"'\\<>]+`;
const TAIL = String.raw`/[^?#\s"'\\<>]*`;
const QUERY = String.raw`\?[^\s"'\\<>]*`;

type Addressed = { readonly path: string; readonly params: ParamMarks };

export function createUrlRedactor(routes: readonly Addressed[]): Redact {
  const known = routes
    .filter(({ path }) => path !== '/')
    .sort((one, other) => countSegments(other) - countSegments(one)) // /connect/callback/… does not match /connect/{secret}
    .map(compileRoute);
  if (known.length === 0) return (text) => text;
  const any = new RegExp(known.map(({ source }) => source).join('|'), 'g');
  return (text) =>
    text.replace(any, (found) => known.find(({ whole }) => whole.test(found))?.redact(found) ?? CENSORED);
}

/** Throws if a route does not mark each parameter as secret or not, because its URLs would be logged unchanged. */
export function requireMarkedParams({ path, params }: Addressed): void {
  const named = listParams(path).sort();
  const marked = Object.keys(params).sort();
  if (named.join() !== marked.join())
    throw new Error(`raw route ${path} marks the parameters [${marked}], but its path has [${named}]`);
}

function compileRoute({ path, params }: Addressed) {
  const segments = path.split('/').slice(1);
  const source = segments.map((segment) => (segment === '*' ? '' : `/${toPattern(segment)}`)).join('');
  const withQuery = `${source}(?:${TAIL})?(?:${QUERY})?`;
  return {
    source: withQuery,
    whole: new RegExp(`^${withQuery}$`),
    redact(url: string): string {
      const [given = '', query] = url.split(/(\?.*)/s, 2);
      const values = given.split('/').slice(1);
      const shown = values.map((value, index) => {
        const segment = segments[index] ?? segments.at(-1);
        if (segment === '*' || value === segment) return value; // logs contain route patterns
        return index >= segments.length || params[segment?.slice(1) ?? ''] === 'secret' ? CENSORED : value;
      });
      return `/${shown.join('/')}${query === undefined ? '' : `?${CENSORED}`}`;
    },
  };
}

function toPattern(segment: string): string {
  return segment.startsWith(':') ? VALUE : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function listParams(path: string): string[] {
  return path.split('/').flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []));
}

function countSegments({ path }: Addressed): number {
  return path.split('/').length;
}
