// Decides who gets an error as an HTML page: browsers outside of the API. API calls always get JSON.
import type { FastifyRequest } from 'fastify';
import { isVersioned } from './version-prefix.ts';

/** A request without a matching route may come from a browser. */
export function wantsPage({ url, route, headers }: FastifyRequest): boolean {
  return !isVersioned(url) && (route ? route.servesPages === true : true) && namesHtml(headers.accept ?? '');
}

/** Requires text/html by name: a client that accepts anything is not a browser. */
export function namesHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
