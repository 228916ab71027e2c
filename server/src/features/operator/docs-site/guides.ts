// The guides: which there are, in which section of the site, and their text. They are the files of the folder docs.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../../../../docs');

/** Guides that are elsewhere in the repository. */
const FILES: Readonly<Record<string, string>> = { changelog: '../CHANGELOG.md', security: '../SECURITY.md' };

type Section = { readonly title: string; readonly guides: Readonly<Record<string, string>> };

/** In the order of the navigation. */
const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    guides: {
      quickstart: 'Create a user and read daily values, sleep and scores from your server.',
      'quickstart-web': 'Connect an account from a web page, and read with a token of one person.',
      'quickstart-ios': 'Upload HealthKit data from an iPhone.',
      'quickstart-android': 'Upload Health Connect data from an Android phone.',
      'quickstart-coach': 'Many people on one page: invitations, reads, events.',
      forms: 'Why most calls have two formats, and how to choose one.',
      migrating: 'Objects of Terra, Junction and Open Wearables, and ours.',
      faq: 'Short answers to what people ask first.',
    },
  },
  {
    title: 'Concepts',
    guides: {
      concepts: 'Users, devices, layers, days, consolidation, scores, events.',
      sandbox: 'Test users with generated data, and how to create an empty one.',
      merge: 'Which device gives the value of a day, why, and how to change that.',
      sessions: 'How sleeps and workouts of several devices become one.',
      're-exports': 'How copies from Strava, Apple Health and others are recognized.',
      routes: 'Positions and laps of workouts: off by default, how to read and remove them.',
      glucose: 'Readings of glucose sensors: units, time in range, variability.',
      scores: 'The six scores: inputs, formulas and explanations.',
      metrics: 'All metrics: names, units, and how they are consolidated.',
      sports: 'The names of sports, per provider.',
    },
  },
  {
    title: 'Integrate',
    guides: {
      authentication: 'Keys and tokens: which to use where, how to replace them, and their errors.',
      connections: 'Connect a user’s account at a provider: links, outcomes, popups.',
      webhooks: 'Events with all fields, and how to verify a signature in Node, Python and Go.',
      roster: 'Invite people by mail, and the privacy portal they get.',
      clients: 'Libraries for TypeScript and Python: install, errors, retries, webhooks.',
      mobile: 'Upload from React Native, Expo or Capacitor: every type and its metric.',
      'mobile-protocol': 'What a native app sends, stores and repeats.',
      imports: 'Import files: Apple Health, FIT, TCX, GPX, CSV, and exports of other services.',
      exports: 'Take data out: NDJSON, CSV, Parquet, FHIR, Open mHealth, bulk export.',
      bundle: 'One user in one file, for another deployment.',
      assistants: 'Give an assistant read-only access through the Model Context Protocol.',
      limits: 'Rate limits and the size of everything that you can send or store.',
      simulator: 'The simulated provider clouds behind the sandbox.',
      'spec-gaps': 'What the service does where the interface specification leaves it open.',
    },
  },
  {
    title: 'API',
    guides: {
      endpoints: 'Every endpoint, and who can call it.',
      errors: 'Error codes and what to do about each.',
    },
  },
  {
    title: 'Providers',
    guides: {
      'provider-setup': 'Register your application at each provider: fields, scopes, review, limits, webhooks.',
      providers: 'Which metrics each provider delivers, and from where.',
      restrictions: 'What the terms of a provider forbid, and how the service keeps to them.',
      sync: 'How data of a connected account arrives: backfill, provider webhooks, polls.',
    },
  },
  {
    title: 'Operate',
    guides: {
      dashboard: 'Sign in, roles, and what each page shows.',
      deployment: 'Package, containers, Kubernetes, systemd, and proxies with TLS.',
      configuration: 'Every setting by topic: default, accepted values, meaning.',
      operations: 'Run the service: commands, API keys, retention, database roles, master key.',
      postgresql: 'Your own PostgreSQL: roles, connections, failover, PgBouncer.',
      processes: 'All cores behind one port, rolling restarts, shared rate limits.',
      backup: 'Back up and restore the database, and move it to your own PostgreSQL.',
      upgrading: 'Upgrade to a new release, and what to do if a start fails.',
      observability: 'Metrics, alerts with what to do, and traces.',
      'service-metrics': 'Every Prometheus metric of the service.',
      audit: 'Who did what and who read whose data, in a trail where every later change is detected.',
      scaling: 'What to run for how many users, and Citus.',
      privacy: 'Which data is stored, who can read it, and what leaves the machine.',
      versioning: 'What can change, and how long old versions stay.',
      security: 'Report a weakness, and how the service protects data.',
      changelog: 'What changed in each release.',
      promises: 'What the service promises, and how that is proven.',
      benchmarks: 'Measured speed, and how to repeat the measurements.',
    },
  },
];

const NAMES = new Map(
  SECTIONS.flatMap(({ title, guides }) => Object.keys(guides).map((name) => [name, title] as const)),
);

export type Guide = {
  readonly name: string;
  /** Of the section. */
  readonly section: string;
  readonly title: string;
  readonly description: string;
  /** Its path, relative to the folder docs. */
  readonly file: string;
  readonly text: string;
};

export async function listGuides(): Promise<Guide[]> {
  const guides = await Promise.all([...NAMES.keys()].map(readGuide));
  return guides.filter((guide) => guide !== null);
}

export function isGuide(name: string): boolean {
  return NAMES.has(name);
}

/** Null: there is no such guide, or this installation has no docs. */
export async function readGuide(name: string): Promise<Guide | null> {
  const section = SECTIONS.find(({ title }) => title === NAMES.get(name));
  const description = section?.guides[name];
  if (section === undefined || description === undefined) return null;
  const file = FILES[name] ?? `${name}.md`;
  const text = await readFile(path.join(FOLDER, file), 'utf8').catch(() => null);
  if (text === null) return null;
  return { name, section: section.title, title: /^# (.+)$/m.exec(text)?.[1] ?? name, description, file, text };
}
