// An error as a person in a browser sees it: what happened, in plain words, and what to do.
import type { AppError } from '../errors.ts';
import type { RawReply } from '../http/raw-exchange.ts';
import { hostedPage } from './hosted-page.ts';
import { html } from './html.ts';

type Words = { readonly title: string; readonly advice: string };

const UNKNOWN: Words = {
  title: 'There is nothing here',
  advice: 'The address is not complete, or not right. Open the link as it was given to you.',
};
const UNUSABLE: Words = {
  title: 'This cannot be used',
  advice: 'What was sent is not what is expected here. Open the link as it was given to you, and try again.',
};
const TOO_MANY: Words = {
  title: 'Please wait a moment',
  advice: 'Too much came from your network in a short time.',
};
const AWAY: Words = { title: 'Not available at the moment', advice: 'Please try again in a minute.' };
const FAULT: Words = { title: 'Something went wrong', advice: 'The fault is on our side. Please try again later.' };

/** `retryAfter`: the seconds that the answer tells programs, if it does. */
export function errorPage({ status }: AppError, requestId: string, retryAfter: number | null): RawReply {
  const { title, advice } = wordsOf(status);
  const body = html`<h1>${title}</h1>
<p>${advice}${status === 429 ? ` Try again ${describeWait(retryAfter ?? 1)}.` : ''}</p>
<p class="quiet"><small>If it stays like this, tell whoever sent you here: ${requestId}</small></p>`;
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
