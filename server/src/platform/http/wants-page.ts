// Who gets an error as a page: a person in a browser, outside of the API. Programs get JSON, whatever they ask for.
import type { FastifyRequest } from 'fastify';
import { isVersioned } from './version-prefix.ts';

/** Where no route was found, or none yet, nothing says that it is a program's. */
export function wantsPage({ url, route, headers }: FastifyRequest): boolean {
  return !isVersioned(url) && (route ? route.servesPages === true : true) && namesHtml(headers.accept ?? '');
}

/** By its name: what takes anything is no browser. */
export function namesHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
