// One random request for an operation of the published document: valid, invalid in one place, or hostile altogether.
import type { Random } from '../faults/random.ts';
import { chooseSubject, type FuzzWorld, type Subject } from './fuzz-world.ts';
import { chance, type Draw, drawUuid, generateValue, pick } from './generate-value.ts';
import type { JsonSchema, Operation, Parameter } from './json-schema.ts';
import { knownValues } from './known-values.ts';
import { hostileValue, spoilText, spoilValue } from './spoil-value.ts';

export type PublishedOperation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
};

export type FuzzRequest = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly token: string | null;
  readonly headers: Record<string, string>;
  readonly raw?: string | Buffer<ArrayBuffer>;
  readonly subject: Subject;
};

type Spoiled = 'nothing' | 'one' | 'much';

export function generateRequest(random: Random, published: PublishedOperation, world: FuzzWorld): FuzzRequest {
  const { name, method, path, operation } = published;
  const subject = chooseSubject(random, world, { isRemoval: method === 'DELETE' });
  const spoiled = pick<Spoiled>(random, ['nothing', 'nothing', 'nothing', 'one', 'one', 'much']);
  const form = pick(random, ['1', '2']);
  const draw: Draw = { random, known: knownValues(random, name, world, subject) };
  const parameters = (operation.parameters ?? []).filter((parameter) => fitsForm(parameter, form));
  const search = drawQuery(draw, parameters, spoiled);
  return {
    operation: name,
    method,
    subject,
    path: fillPath(draw, path, spoiled) + (search === '' ? '' : `?${search}`),
    token: chooseToken(random, published, world, subject),
    ...drawBody(draw, operation, form, spoiled, drawHeaders(draw, parameters, form, spoiled)),
  };
}

function fitsForm({ description = '' }: Parameter, form: string): boolean {
  return !/^Form [12]\./.test(description) || description.startsWith(`Form ${form}.`);
}

function fillPath({ random, known }: Draw, path: string, spoiled: Spoiled): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const isSpoiled = spoiled === 'much' ? chance(random, 50) : spoiled === 'one' && chance(random, 10);
    const existing = known[name] ?? [];
    const absent = existing.length === 0 || chance(random, 3);
    const value = isSpoiled ? toText(hostileValue(random)) : toText(absent ? drawUuid(random) : pick(random, existing));
    return encodeURIComponent(value.slice(0, 2_000).toWellFormed()) || '-';
  });
}

function drawQuery(draw: Draw, parameters: readonly Parameter[], spoiled: Spoiled): string {
  const { random } = draw;
  const search = new URLSearchParams();
  for (const { name, required, schema } of parameters.filter((parameter) => parameter.in === 'query')) {
    const isSent =
      required === true ? spoiled === 'nothing' || chance(random, 90) : chance(random, isRange(name) ? 92 : 25);
    if (!isSent) continue;
    const isSpoiled = spoiled !== 'nothing' && chance(random, 25);
    const value = isSpoiled ? hostileValue(random) : generateValue(draw, schema, name);
    search.append(name, toText(value).slice(0, 4_000).toWellFormed());
  }
  if (spoiled === 'much' && chance(random, 20))
    search.append(pick(random, ['extra', '__proto__', 'limit', 'metrics']), '1');
  return search.toString();
}

/** Reads without them cover all days. */
function isRange(name: string): boolean {
  return /^(start|end|from|to)_date$/.test(name);
}

function drawHeaders(draw: Draw, parameters: readonly Parameter[], form: string, spoiled: Spoiled) {
  const { random } = draw;
  const headers: Record<string, string> = {};
  for (const { name, required, schema } of parameters.filter((parameter) => parameter.in === 'header')) {
    if (name === 'Api-Form') continue;
    if (required === true ? spoiled !== 'nothing' && chance(random, 10) : chance(random, 70)) continue;
    headers[name.toLowerCase()] = toHeader(toText(generateValue(draw, schema, name)));
  }
  if (spoiled === 'much' && chance(random, 10)) headers['api-form'] = pick(random, ['0', '3', 'x', '1,2']);
  else headers['api-form'] = form;
  return headers;
}

function drawBody(
  draw: Draw,
  operation: Operation,
  form: string,
  spoiled: Spoiled,
  headers: Record<string, string>,
): Pick<FuzzRequest, 'headers' | 'raw'> {
  const { random } = draw;
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return { headers };
  let value = omitOtherForm(generateValue(draw, schemaOfForm(schema, form)), form);
  if (spoiled === 'one') value = spoilValue(random, value);
  if (spoiled === 'much') for (let left = random.integer(1, 4); left > 0; left -= 1) value = spoilValue(random, value);
  const text = JSON.stringify(value);
  if (spoiled !== 'much' || chance(random, 60)) return { headers, raw: text };
  if (chance(random, 30)) headers['content-encoding'] = pick(random, ['gzip', 'br', 'zstd', 'deflate', 'x']);
  if (chance(random, 20))
    headers['content-type'] = pick(random, ['text/plain', 'application/xml', 'x', 'multipart/form-data']);
  return { headers, raw: spoilText(random, text) };
}

function schemaOfForm(schema: JsonSchema, form: string): JsonSchema {
  return schema.anyOf?.find(({ title }) => title?.endsWith(`Form${form}`)) ?? schema;
}

/** Bodies accept the name of either form, but not both. */
function omitOtherForm(value: unknown, form: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const other = form === '1' ? 'external_ref' : 'reference_id';
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== other));
}

/** Most calls have the right credential; some have that of another environment, of a phone or of nobody. */
function chooseToken(
  random: Random,
  { method, operation: { security = [] } }: PublishedOperation,
  world: FuzzWorld,
  { environment, user }: Subject,
): string | null {
  if (chance(random, 3))
    return pick(random, [null, 'garbage', ...world.environments.map(({ key }) => key), ...world.sdkTokens]);
  const [scheme] = security.length === 0 ? [] : Object.keys(pick(random, security));
  if (scheme === undefined) return null;
  if (scheme === 'sdkSession')
    return pick(random, method === 'DELETE' ? ['ended', ...world.sdkTokens] : world.uploadTokens);
  if (scheme === 'userToken')
    return world.userTokens.find(({ userId }) => userId === user.id)?.token ?? environment.key;
  return environment.key;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The client refuses to send other characters. */
function toHeader(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '.').slice(0, 500);
}
