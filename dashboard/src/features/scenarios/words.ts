import { CLOUD_PROVIDER_NAMES } from '../../shared/user/provider-names.gen.ts';
import { plural } from '../../shared/words/numbers.ts';

export const SCENARIOS = [
  {
    name: 'two-devices',
    title: 'Two devices record one run',
    text: 'A run in the evening that the watch and an app on the phone both recorded. It must count once.',
  },
  {
    name: 'gap',
    title: 'Three days without devices',
    text: 'Neither the ring nor the watch was worn. Their data of these days is deleted.',
  },
  {
    name: 'travel',
    title: 'A flight to another time zone',
    text: 'The person flies to another time zone; the profile keeps the old one, so nights appear at unusual hours.',
  },
  {
    name: 'illness',
    title: 'Four days of fever',
    text: 'Resting heart rate and skin temperature rise, heart rate variability and recovery fall.',
  },
  {
    name: 'late-data',
    title: 'A night that arrives three days late',
    text: 'A night and a run are missing, then they arrive, and the scores that follow are computed again.',
  },
] as const;

export type ScenarioName = (typeof SCENARIOS)[number]['name'];

export const FAULTS = [
  { kind: 'revoked', text: 'The person withdrew access' },
  { kind: 'rate_limited', text: 'Too many requests (429)' },
  { kind: 'unavailable', text: 'Not available (503)' },
  { kind: 'slow', text: 'Slow responses' },
  { kind: 'half_page', text: 'Truncated responses' },
  { kind: 'refresh_race', text: 'The response to a token refresh is lost' },
  { kind: 'late_night', text: 'The last night is missing' },
  { kind: 'late_push', text: 'Webhooks wait' },
  { kind: 'duplicate_push', text: 'Every webhook is sent twice' },
  { kind: 'changed_record', text: 'The last night changes' },
  { kind: 'deleted_record', text: 'The last night is deleted' },
] as const;

export type FaultKind = (typeof FAULTS)[number]['kind'];

export type ProviderId = keyof typeof CLOUD_PROVIDER_NAMES;

export const PROVIDERS = Object.entries(CLOUD_PROVIDER_NAMES).map(([value, text]) => ({ value, text }));

export const words = {
  title: 'Scenarios',
  note: 'Try unusual days and broken providers with generated people. Everything runs through the same pipeline as real data.',
  liveOnly: 'Scenarios exist only in the sandbox',
  liveAdvice: 'Live users are real people; their data is never generated.',
  toSandbox: 'Go to the sandbox',
  newPerson: 'New sandbox user',
  newPersonNote: 'A generated person with a ring, a watch, a phone and a week of data. A new day is added every day.',
  reference: 'Reference',
  referenceHint: 'Your own id for this user.',
  create: 'Create',
  created: (reference: string) => `${reference} is created, with a week of data.`,
  open: 'Open the user',
  runTitle: 'Run a scenario',
  runNote: 'It rewrites the last days of a sandbox user.',
  user: 'User',
  usersNotLoaded: 'The users could not be loaded.',
  noUsers: 'There is no sandbox user yet',
  noUsersAdvice: 'Create one, and then run a scenario on it.',
  scenario: 'Scenario',
  run: 'Run',
  look: 'Look at the result',
  faults: 'Faults of simulated providers',
  faultsNote: 'They affect everybody who is connected to the simulated provider, until they are removed.',
  faultsNotLoaded: 'The faults could not be loaded.',
  noFaults: 'All simulated providers work.',
  shared: 'Other accounts share the simulated providers, so only an operator can add faults here.',
  addFault: 'Add a fault',
  fault: 'Fault',
  provider: 'Provider',
  times: 'How often',
  timesHint: 'Empty: until you remove it.',
  add: 'Add',
  remove: 'Remove',
  removeAll: 'Remove all',
  timesLeft: (times: number | null) => (times === null ? 'until it is removed' : `for ${plural(times, 'request')}`),
  viewersCannot: 'Your role can only view this page. Developers can run scenarios and add faults.',
  actions: 'Actions',
};

export function faultText(kind: string): string {
  return FAULTS.find((fault) => fault.kind === kind)?.text ?? kind.replaceAll('_', ' ');
}
