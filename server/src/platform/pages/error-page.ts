// The HTML page of an error: what happened and what to do.
import type { AppError } from '../errors.ts';
import type { RawReply } from '../http/raw-exchange.ts';
import { hostedPage } from './hosted-page.ts';
import { html } from './html.ts';

type Words = { readonly title: string; readonly advice: string };

const UNKNOWN: Words = {
  title: 'Page not found',
  advice: 'The address is incomplete or wrong. Open the link exactly as you received it.',
};
const UNUSABLE: Words = {
  title: 'Invalid request',
  advice: 'The request is not valid. Open the link exactly as you received it, and try again.',
};
const TOO_MANY: Words = {
  title: 'Too many requests',
  advice: 'There were too many requests from your network.',
};
const AWAY: Words = { title: 'Temporarily unavailable', advice: 'Please try again in a minute.' };
const FAULT: Words = {
  title: 'Something went wrong',
  advice: 'An error occurred on our side. Please try again later.',
};

/** `retryAfter`: seconds from the Retry-After header, if any. */
export function errorPage({ status }: AppError, requestId: string, retryAfter: number | null): RawReply {
  const { title, advice } = wordsOf(status);
  const body = html`<h1>${title}</h1>
<p>${advice}${status === 429 ? ` Try again ${describeWait(retryAfter ?? 1)}.` : ''}</p>
<p class="muted"><small>If this continues, contact the sender of the link and mention: ${requestId}</small></p>`;
  return hostedPage({ status, title, body, headers: { vary: 'Accept' } });
}

function wordsOf(status: number): Words {
  switch (status) {
    case 404:
      return UNKNOWN;
    case 429:
      return TOO_MANY;
    case 503:
      return AWAY;
    default:
      return status < 500 ? UNUSABLE : FAULT;
  }
}

function describeWait(seconds: number): string {
  if (seconds > 90) return `in ${Math.ceil(seconds / 60)} minutes`;
  return seconds > 1 ? `in ${seconds} seconds` : 'in a second';
}
