// /docs: Swagger UI from the npm package, without a CDN and without inline scripts. Its URLs are relative, so that it also
// works below a path of a proxy.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ASSETS = { css: 'swagger-ui.css', script: 'swagger-ui-bundle.js' } as const;

/** Allows calls to the public URL, because the page may be opened under another host name. */
export function presentDocsHeaders(publicUrl: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

export const DOCS_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tributary API</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<noscript>The machine-readable description is at <a href="v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

export const DOCS_START = `window.ui = SwaggerUIBundle({
  url: new URL('v1/openapi.json', document.baseURI).href, dom_id: '#reference', deepLinking: true, persistAuthorization: false,
  displayRequestDuration: true, docExpansion: 'list', defaultModelsExpandDepth: -1, tryItOutEnabled: true,
});
`;

export function readDocsAsset(kind: keyof typeof ASSETS): Promise<Buffer> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return readFile(join(folder, ASSETS[kind]));
}
