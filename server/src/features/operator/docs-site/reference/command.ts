// The curl command of an operation, for the variables TRIBUTARY_URL, TRIBUTARY_API_KEY and USER_ID of a shell. Pure.
import type { Operation } from './read-operations.ts';

const FORM = 'Api-Form';

export function commandOf({ method, path, parameters, credentials, body }: Operation): string {
  const url = path.replace(/\{(\w+)\}/g, (_match, name: string) => `$${name.toUpperCase()}`);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=…`)
    .join('&');
  const example = body.findLast((shape) => shape.example !== undefined)?.example;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$TRIBUTARY_URL${url}${query === '' ? '' : `?${query}`}"`,
    ...(credentials.length === 0 ? [] : ['-H "Authorization: Bearer $TRIBUTARY_API_KEY"']),
    ...(parameters.some(({ name }) => name === FORM) ? [`-H "${FORM}: 2"`] : []),
    ...(body.length === 0
      ? []
      : ['-H "Content-Type: application/json"', `-d '${example === undefined ? '{…}' : JSON.stringify(example)}'`]),
  ];
  return lines.join(' \\\n  ');
}
