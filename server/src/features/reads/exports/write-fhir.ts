// FHIR R4 resources, one per line: the user, its devices, then observations.
import { type DateRange, readSources } from '../shared/index.ts';
import { describeExcluded, type Exclusions } from './exclusions.ts';
import type { ExportSource } from './export-source.ts';
import { observeDay, observeSample, observeScore, observeSleep, observeWorkout } from './fhir-observations.ts';
import type { Pieces } from './join-pieces.ts';
import { openSharedUser } from './open-shared-user.ts';
import { readSampleGroups } from './read-sample-groups.ts';
import { readRecordPages } from './record-pages.ts';
import type { ExportResource } from './records.ts';
import { toLines } from './to-lines.ts';
import { writeSampleLines } from './write-sample-lines.ts';

export async function* writeFhir(
  source: ExportSource,
  range: DateRange | null,
  resources: readonly ExportResource[],
  exclusions: Exclusions | null,
): Pieces {
  if (exclusions !== null) yield* toLines([toOutcome(exclusions)]);
  yield* toLines([await describeSubject(source), ...(await describeDevices(source))]);
  if (range === null) return;
  const { userId } = source.user;
  for (const resource of resources)
    if (resource === 'daily')
      for await (const page of readRecordPages('daily', source, range))
        yield* toLines(page.map((one) => observeDay(userId, one)));
    else if (resource === 'sleep')
      for await (const page of readRecordPages('sleep', source, range))
        yield* toLines(page.map((one) => observeSleep(userId, one)));
    else if (resource === 'workouts')
      for await (const page of readRecordPages('workouts', source, range))
        yield* toLines(page.map((one) => observeWorkout(userId, one)));
    else if (resource === 'scores')
      for await (const page of readRecordPages('scores', source, range))
        yield* toLines(page.map((one) => observeScore(userId, one)));
    else
      yield* writeSampleLines(
        source,
        readSampleGroups(source, range),
        (metric, origin, sample) => `${JSON.stringify(observeSample(userId, metric, origin, sample))}\n`,
      );
}

function toOutcome(exclusions: Exclusions): object {
  const diagnostics = describeExcluded(exclusions);
  return { resourceType: 'OperationOutcome', issue: [{ severity: 'information', code: 'suppressed', diagnostics }] };
}

async function describeSubject(source: ExportSource): Promise<object> {
  const { id, referenceId, profile } = (await openSharedUser(source)).user;
  const { sex, birth_date: birthDate } = profile;
  return {
    resourceType: 'Patient',
    id,
    identifier: [{ system: 'urn:tributary:reference', value: referenceId }],
    ...(sex !== undefined && { gender: sex }),
    ...(birthDate !== undefined && { birthDate }),
  };
}

async function describeDevices({ db, user, excluded }: ExportSource): Promise<object[]> {
  const sources = [...(await readSources(db, user)).values()].filter(({ provider }) => !excluded.has(provider));
  return sources.map(({ id, provider, name, model, deviceClass }) => ({
    resourceType: 'Device',
    id,
    status: 'active',
    manufacturer: provider,
    ...(name !== null && { deviceName: [{ name, type: 'user-friendly-name' }] }),
    ...(model !== null && { modelNumber: model }),
    type: { text: deviceClass },
  }));
}
