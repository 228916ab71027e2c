// The HTML page of an error: what happened and what to do.
import type { Language, TextKey } from '../../domain/texts/index.ts';
import type { AppError } from '../errors.ts';
import type { RawReply } from '../http/raw-exchange.ts';
import { hostedPage } from './hosted-page.ts';
import { html } from './html.ts';
import { createPageContext, type PageContext } from './page-context.ts';

type ErrorFacts = {
  readonly requestId: string;
  /** Where the error happened, as received. */
  readonly path: string;
  /** Seconds from the Retry-After header, if any. */
  readonly retryAfter: number | null;
  readonly language: Language;
};

export function errorPage({ status }: AppError, { requestId, path, retryAfter, language }: ErrorFacts): RawReply {
  const context = createPageContext(language);
  const { t } = context;
  const { title, advice } = wordsOf(status);
  const body = html`<h1>${t(title)}</h1>
<p>${t(advice)}${status === 429 ? ` ${describeWait(context, retryAfter ?? 1)}` : ''}</p>
<p class="muted">${t('error.contact', { id: requestId })}</p>
${status === 404 ? html`<p><a href="${startOf(path)}">${t('error.home')}</a></p>` : null}`;
  return hostedPage({ status, title: t(title), body, context, tone: 'failure', headers: { vary: 'Accept' } });
}

/** Relative, because a proxy may serve the service below a path. */
function startOf(path: string): string {
  return '../'.repeat(path.split('/').length - 2) || './';
}

function wordsOf(status: number): { readonly title: TextKey; readonly advice: TextKey } {
  switch (status) {
    case 404:
      return { title: 'error.not_found', advice: 'error.not_found.advice' };
    case 429:
      return { title: 'error.too_many', advice: 'error.too_many.advice' };
    case 503:
      return { title: 'error.unavailable', advice: 'error.unavailable.advice' };
    default:
      return status < 500
        ? { title: 'error.invalid', advice: 'error.invalid.advice' }
        : { title: 'error.internal', advice: 'error.internal.advice' };
  }
}

function describeWait({ t }: PageContext, seconds: number): string {
  if (seconds > 90) return t('error.wait.minutes', { count: Math.ceil(seconds / 60) });
  return seconds > 1 ? t('error.wait.seconds', { count: seconds }) : t('error.wait.second');
}
