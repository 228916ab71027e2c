// /llms.txt: a summary of the API for language models, with the guides as Markdown.
import type { Services } from '../../../platform/services.ts';

type Operation = { readonly summary?: string };

type Guide = { readonly name: string; readonly title: string; readonly description: string };

export function presentLlmsText(services: Pick<Services, 'openapi' | 'settings'>, guides: readonly Guide[]): string {
  const document = services.openapi() as { paths: Record<string, Record<string, Operation>> };
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => `- ${method.toUpperCase()} ${path}: ${operation.summary ?? ''}`,
    ),
  );
  const base = services.settings.publicUrl();
  return [
    '# Tributary',
    '',
    '> A health data service: it collects data from phones and wearable clouds and returns one consolidated, explained value per metric and day.',
    '',
    `Base URL: ${base}. Send "Authorization: Bearer <key>"${services.settings.isSandboxOn ? '; sandbox keys start with sk_sandbox_' : ''}.`,
    'Replies use Form 1 ({data} envelope, page numbers) or Form 2 (bare resources, cursors). Select the form with the header Api-Form: 1 or 2.',
    'Errors are {error, message, details}. Unknown fields and parameters are rejected and listed in details.',
    '',
    `OpenAPI 3.1: ${base}/v1/openapi.json`,
    '',
    '## Guides',
    '',
    ...guides.map(({ name, title, description }) => `- [${title}](${base}/docs/${name}.md): ${description}`),
    '',
    '## Calls',
    '',
    ...calls,
    '',
  ].join('\n');
}
