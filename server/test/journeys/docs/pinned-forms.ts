// A proxy between the examples and the service. It notes every request whose form only the default of the account decides.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { FORM_NAMES } from '../../../src/form-names.ts';
import { selectForm } from '../../../src/platform/http/forms.ts';
import { publicRoutes } from '../../../src/routes.ts';

type FormProxy = { readonly url: string; readonly unpinned: string[]; close(): void };

export async function startFormProxy(target: string): Promise<FormProxy> {
  const unpinned: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    for (const name of ['host', 'connection', 'content-length', 'expect', 'transfer-encoding']) headers.delete(name);
    const { method = 'GET', url = '/' } = request;
    if (!isPinned(method, url, headers.get('api-form'), body.toString())) unpinned.push(`${method} ${url}`);
    const sent = { method, headers, redirect: 'manual' as const, ...(body.length === 0 ? {} : { body }) };
    const answer = await fetch(new URL(url, target), sent);
    const received = Buffer.from(await answer.arrayBuffer());
    const { 'content-encoding': _packed, 'transfer-encoding': _chunked, ...kept } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...kept, 'content-length': received.length }).end(received);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, unpinned, close: () => void server.close() };
}

/** Whether header, parameters or body decide the form, or the call has one. Unknown calls are none of ours. */
export function isPinned(method: string, target: string, header: string | null, body: string): boolean {
  const { pathname, searchParams } = new URL(target, 'http://service');
  const route = publicRoutes.find((one) => one.method === method && patternOf(one.path).test(pathname));
  if (route === undefined || 'both' in route.dialects || header !== null) return true;
  const select = (accountDefault: 1 | 2) =>
    selectForm({
      names: FORM_NAMES,
      route,
      header: undefined,
      query: Object.fromEntries(searchParams),
      body: parse(body),
      accountDefault,
    });
  return select(1) === select(2);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+|\{\w+\}/g, '[^/]+')}$`);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
