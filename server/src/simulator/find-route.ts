// Finds the route of a dialect for a request.
import type { RawRequest } from '../platform/http/raw-route.ts';
import type { ProviderDialect, SimulatedRoute } from './dialect.ts';

export type FoundRoute = { readonly route: SimulatedRoute; readonly params: Readonly<Record<string, string>> };
/** `readForm` is called only if one path serves many calls. */
type FindRoute = (
  request: Pick<RawRequest, 'method'>,
  path: string,
  readForm: () => URLSearchParams,
) => FoundRoute | null;

export function createRouteFinder({ routes }: ProviderDialect): FindRoute {
  const patterns = routes.map((route) => ({ route, pattern: toPattern(route.path) }));
  return ({ method }, path, readForm) => {
    for (const { route, pattern } of patterns) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match !== null && (route.form === undefined || hasFields(route.form, readForm())))
        return { route, params: decodeParts(match.groups ?? {}) };
    }
    return null;
  };
}

export function hasFields(wanted: Readonly<Record<string, string>> = {}, form: URLSearchParams): boolean {
  return Object.entries(wanted).every(([name, value]) => form.get(name) === value);
}

function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function decodeParts(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodePart(text)]));
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
