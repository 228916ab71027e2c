// Asks the running service whether it is ready, where it listens, and whether its public URL leads to it.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import type { ServiceAddress } from '../platform/data-folder.ts';
import { http } from '../platform/node-http.ts';
import { type Finding, warning } from './finding.ts';

const TIMEOUT_MS = 5_000;

type Reply = { readonly body: unknown } | { readonly problem: string };

export async function checkReadiness({ listenUrl }: ServiceAddress): Promise<Finding> {
  const check = 'readiness';
  if (listenUrl === undefined)
    return {
      check,
      ok: true,
      found: 'not checked: the service has an earlier version, which does not say where it listens',
    };
  const reply = await getJson(`${listenUrl}/readyz`);
  if ('problem' in reply)
    return {
      check,
      ok: false,
      found: `${listenUrl} ${reply.problem}`,
      fix: 'Read the log of the service for the cause.',
    };
  const { status, checks } = (reply.body ?? {}) as {
    status?: string;
    checks?: { jobs?: { lag_seconds?: number }; migrations?: { applied?: number } };
  };
  return {
    check,
    ok: status === 'ready',
    found: `${status} at ${listenUrl}; migration ${checks?.migrations?.applied}, jobs ${checks?.jobs?.lag_seconds} s behind`,
    fix: 'Read the log of the service for the cause.',
  };
}

/** Only a warning: some networks do not let a machine reach its own public address. */
export async function checkPublicUrl({ publicUrl, listenUrl }: ServiceAddress): Promise<Finding> {
  const check = 'public URL';
  if (publicUrl === listenUrl) return { check, ok: true, found: `${publicUrl}, where the service listens` };
  const reply = await getJson(`${publicUrl}/healthz`);
  if (isHealth(reply)) return { check, ok: true, found: `${publicUrl} leads to a running service` };
  const problem = 'problem' in reply ? reply.problem : 'is answered by another program';
  return warning(
    check,
    `${publicUrl} ${problem}`,
    'Check TRIBUTARY_PUBLIC_URL, and that the reverse proxy forwards to the service.',
  );
}

/** Of any data folder. */
export async function isServiceAt(url: string): Promise<boolean> {
  return isHealth(await getJson(`${url}/healthz`));
}

function isHealth(reply: Reply): boolean {
  return 'body' in reply && (reply.body as { status?: unknown } | null)?.status === 'ok';
}

/** Also the body of an error: /readyz answers 503 with the reason. Not `fetch`, which refuses some ports. */
async function getJson(url: string): Promise<Reply> {
  const get = url.startsWith('https:') ? getHttps : http.get;
  try {
    const call = get(url, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const body = await json(response).catch(() => null);
    return body === null ? { problem: `answers with status ${response.statusCode} and no JSON` } : { body };
  } catch (error) {
    return { problem: `does not answer (${describe(error)})` };
  }
}

function describe(error: unknown): string {
  const { name, message, code = message } = error as NodeJS.ErrnoException;
  return name === 'AbortError' ? `no response within ${TIMEOUT_MS / 1_000} s` : code;
}
