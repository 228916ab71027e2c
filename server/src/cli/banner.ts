// The text printed when the service is ready. The first API keys are shown only here.

import { relative } from 'node:path';
import { COMMAND } from '../command-name.ts';
import type { Config } from '../config.ts';
import type { Role } from '../connection-plan.ts';
import type { RunningService } from '../start-service.ts';
import { VERSION } from '../version.ts';

export function presentBanner(options: {
  service: RunningService;
  config: Config;
  role: Role;
  seconds: number;
  /** What runs, if it is not the whole service in one process. */
  note: string | null;
}): string {
  const { service, config, role, note } = options;
  const url = role === 'worker' ? service.services.settings.ownUrl() : service.publicUrl; // a worker does not serve the public URL
  const lines = [
    '',
    `  Tributary ${VERSION} is ready after ${options.seconds.toFixed(1)} s${note === null ? '' : ` (${note})`}`,
    '',
    ...(role === 'worker' ? [`  Health     ${url}/readyz`] : [`  API        ${url}/v1`, `  Reference  ${url}/docs`]),
    ...(role === 'worker' ? [] : [`  Dashboard  ${service.welcomeUrl ?? `${url}/dashboard`}`]),
    `  Database   ${service.databaseVersion}, ${shorten(service.databaseLocation)}`,
    `  Data       ${shorten(config.dataDir)}`,
    '',
    ...(service.welcomeUrl === null
      ? []
      : ['  The dashboard link creates the first owner. It works once, for seven days.', '']),
    ...presentKeys(service),
  ];
  return `${lines.join('\n')}\n`;
}

function presentKeys({ newKeys, publicUrl }: RunningService): string[] {
  const sandbox = newKeys.find((key) => key.environment === 'sandbox');
  const live = newKeys.find((key) => key.environment === 'live');
  if (!live) return [];
  const until = live.expiresAt.toISOString().slice(0, 10);
  if (!sandbox)
    return [
      `  Account "${live.account}" created. The key is valid until ${until} and is shown only once.`,
      '',
      `  Live       ${live.key}`,
      '',
      '  The sandbox environment is turned off (TRIBUTARY_SANDBOX=off). Create a live user to try the API:',
      '',
      ...presentTry(publicUrl, live.key),
      `  Create another key: ${COMMAND} keys create --environment live`,
      '',
    ];
  return [
    `  Account "${sandbox.account}" created. Keys are valid until ${until} and are shown only once.`,
    '',
    `  Sandbox    ${sandbox.key}`,
    `  Live       ${live.key}`,
    '',
    '  Create a sandbox user, with a week of generated data and scores:',
    '',
    ...presentTry(publicUrl, sandbox.key),
    `  Create another key: ${COMMAND} keys create --environment sandbox`,
    '',
  ];
}

function presentTry(publicUrl: string, key: string): string[] {
  return [
    `  curl -s ${publicUrl}/v1/users -H "Authorization: Bearer ${key}" \\`,
    `    -H "Api-Form: 2" -H "Content-Type: application/json" \\`,
    `    -d '{"external_ref": "ada", "timezone": "Europe/Berlin"}'`,
    '',
  ];
}

function shorten(path: string): string {
  if (!path.startsWith('/')) return path;
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : `./${near}`;
}
