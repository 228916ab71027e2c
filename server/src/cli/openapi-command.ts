// tributary openapi: prints the OpenAPI document without a running service.
import { readPublishedApi } from '../api-document.ts';
import { formatBaseUrl, loadConfig } from '../config.ts';
import type { Form } from '../domain/tenancy.ts';
import type { Terminal } from './terminal.ts';

export async function openapiCommand(terminal: Terminal, { form }: { form?: '1' | '2' }): Promise<number> {
  const config = loadConfig(terminal.environment);
  const url = config.publicUrl ?? formatBaseUrl(config.host, config.port);
  terminal.stdout(`${JSON.stringify(readPublishedApi(url, form && (Number(form) as Form)), null, 2)}\n`);
  return 0;
}
