// Reads the guides from the folder docs.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../../../../docs');

/** In the order of the list. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  connections: 'Connect a user’s account at a provider: links, outcomes, popups.',
  sandbox: 'Test users with generated data, and how to create an empty one.',
  simulator: 'The simulated provider clouds behind the sandbox.',
  roster: 'Invite people by mail, and the privacy portal they get.',
  dashboard: 'Sign in, roles, and what each page shows.',
  endpoints: 'Every endpoint, and who can call it.',
  errors: 'Error codes and what to do about each.',
  limits: 'Rate limits and the size of everything that you can send or store.',
  metrics: 'All metrics: names, units, and how they are consolidated.',
  sessions: 'How sleeps and workouts of several devices become one.',
  scores: 'The six scores: inputs, formulas and explanations.',
  sports: 'The names of sports, per provider.',
  merge: 'How totals of several devices become one value.',
  sync: 'How data of a connected account arrives: backfill, provider webhooks, polls.',
  providers: 'Which metrics each provider delivers, and from where.',
  configuration: 'Every setting of the service.',
  deployment: 'Package, containers, Kubernetes, systemd, and proxies with TLS.',
  operations: 'Run the service: metrics, keys, erasure.',
  postgresql: 'Your own PostgreSQL: roles, connections, failover, PgBouncer.',
  processes: 'All cores behind one port, rolling restarts, shared rate limits.',
  backup: 'Back up and restore the database, and move it to your own PostgreSQL.',
  upgrading: 'Upgrade to a new release, and what to do if a start fails.',
  observability: 'Metrics, alerts with what to do, and traces.',
  'service-metrics': 'Every Prometheus metric of the service.',
  audit: 'Who did what and who read whose data, in a trail that cannot be changed unseen.',
  scaling: 'What to run for how many users, and Citus.',
  promises: 'What the service promises, and how that is proven.',
  benchmarks: 'Measured speed, and how to repeat the measurements.',
  'spec-gaps': 'Decisions where the interface specification is silent.',
};

export type Guide = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
};

export async function listGuides(): Promise<Guide[]> {
  const guides = await Promise.all(Object.keys(DESCRIPTIONS).map(readGuide));
  return guides.filter((guide) => guide !== null);
}

/** Null: there is no such guide, or this installation has no docs. */
export async function readGuide(name: string): Promise<Guide | null> {
  const description = Object.hasOwn(DESCRIPTIONS, name) ? DESCRIPTIONS[name] : undefined;
  if (description === undefined) return null;
  const text = await readFile(path.join(FOLDER, `${name}.md`), 'utf8').catch(() => null);
  return text === null ? null : { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, description, text };
}
