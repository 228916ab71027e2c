// /llms.txt: the API on one page, for programs that read documentation.
import type { Services } from '../../../platform/services.ts';

type Operation = { readonly summary?: string };

export function presentLlmsText(services: Services): string {
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
    '> A health data service: phones and wearable clouds send in what they measured, an app reads one explained truth per person.',
    '',
    `Base address: ${base}. Send "Authorization: Bearer <key>"${services.settings.isSandboxOn ? '; sandbox keys begin with sk_sandbox_' : ''}.`,
    'Answers come in Form 1 ({data} envelope, pages) or Form 2 (bare, cursors): choose with the header Api-Form: 1 or 2.',
    'Errors are {error, message, details}. Unknown fields and parameters are refused by name.',
    '',
    `OpenAPI 3.1: ${base}/v1/openapi.json`,
    '',
    '## Calls',
    '',
    ...calls,
    '',
  ].join('\n');
}
