// Where a command that reads through the public API finds the service, and with which credential.
import { COMMAND } from '../command-name.ts';
import { createServiceClient, type ServiceClient } from '../platform/service-client.ts';
import { VERSION } from '../version.ts';
import { CommandError, type Terminal } from './terminal.ts';

const URL_VARIABLE = 'TRIBUTARY_URL';
export const KEY_VARIABLE = 'TRIBUTARY_API_KEY';
const DEFAULT_URL = 'http://127.0.0.1:8080';

type ServiceAccess = { readonly url: string; readonly token: string };

export function readServiceUrl({ environment }: Pick<Terminal, 'environment'>): string {
  const url = environment[URL_VARIABLE]?.trim() || DEFAULT_URL;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandError(
      `${URL_VARIABLE} is not a URL. Set it to the address of the service, such as ${DEFAULT_URL}.`,
    );
  return url;
}

/** A credential is never an argument: arguments are visible to other users of the machine. */
export function readServiceAccess(terminal: Pick<Terminal, 'environment'>): ServiceAccess {
  const token = terminal.environment[KEY_VARIABLE]?.trim() ?? '';
  if (token === '')
    throw new CommandError(`Set ${KEY_VARIABLE} to an API key, for example one of "${COMMAND} keys create".`);
  return { url: readServiceUrl(terminal), token };
}

export function openService({ url, token }: ServiceAccess, command: string, signal?: AbortSignal): ServiceClient {
  return createServiceClient({ url, token, userAgent: `tributary-${command}/${VERSION}`, signal });
}
