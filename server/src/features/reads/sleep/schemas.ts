// Request and response schemas of sleep in both forms.

import { HRV_KINDS, SLEEP_STAGES } from '../../../domain/records/records.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  form1RangeQuery,
  form2ListQuery,
  includeSourcesQuery,
  sourceDetail,
  sourceForm1,
  unitSystemQuery,
} from '../shared/index.ts';

const includeQuery = {
  include: Type.Optional(
    oneOfWords(['stages', 'copies', 'stages,copies', 'copies,stages'] as const, {
      description: 'adds `stages` (the hypnogram) or `copies` (the same sleep of other devices) to each sleep session',
    }),
  ),
};

export const sleepForm1Query = requestObject({
  ...form1RangeQuery,
  ...unitSystemQuery,
  ...includeSourcesQuery,
  ...includeQuery,
});
export const sleepForm2Query = requestObject({ ...form2ListQuery, ...includeQuery });

const minutes = () => nullable(Type.Integer({ description: 'minutes' }));
const number = (description: string) => nullable(Type.Number({ description }));
const clock = () => Type.String({ description: "local time in the user's time zone, without offset" });

const sleepDate = () =>
  Type.String({ format: 'date', description: 'the day the sleep counts toward: the day on which its night ends' });
const isMainSleep = () =>
  Type.Boolean({
    description: 'true for all parts of the night; false for naps, and for parts under an hour beside longer ones',
  });

const otherSources = Type.Dictionary(sourceForm1, {
  description: 'by field: the device of each value that comes from another record of the same sleep',
});
const stagesOf = (time: () => ReturnType<typeof clock>, title: string) =>
  Type.Optional(
    nullable(
      Type.Array(
        Type.Object(
          {
            stage: oneOfWords(SLEEP_STAGES, { title: 'SleepStageName' }),
            start: time(),
            end: time(),
          },
          { title },
        ),
        {
          description: 'only with include=stages: by time, without overlaps; null where the source sent no stages',
        },
      ),
    ),
  );

const COPIES =
  'only with include=copies: duplicates, the same sleep as recorded by other devices; lists omit them. Those that fill in values are in `sources` with include_sources=true';
const copyFields = {
  id: uuid('the record of this sleep by another device'),
  source: Type.String({ description: 'provider' }),
  device_id: uuid('device'),
  re_export_of: nullable(
    Type.String({ description: 'the provider whose record this source passed on; null if none is known' }),
  ),
};
const copiesForm1 = Type.Optional(
  Type.Array(
    Type.Object(
      { ...copyFields, start: timestamp(), end: timestamp(), asleep: minutes() },
      { title: 'SleepCopyForm1' },
    ),
    { description: COPIES },
  ),
);
const copiesForm2 = Type.Optional(
  Type.Array(
    Type.Object(
      {
        ...copyFields,
        start_time: clock(),
        end_time: clock(),
        duration_minutes: Type.Integer(),
        asleep_minutes: minutes(),
      },
      { title: 'SleepCopyForm2' },
    ),
    { description: COPIES },
  ),
);

export const sleepForm1Reply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: uuid('sleep session'),
          date: sleepDate(),
          start: timestamp(),
          end: timestamp(),
          asleep: minutes(),
          time_awake: minutes(),
          light_sleep: minutes(),
          deep_sleep: minutes(),
          REM: minutes(),
          restorative_sleep: minutes(),
          time_in_bed: minutes(),
          sleep_efficiency: number('percent'),
          sleep_heart_rate: number('bpm'),
          sleep_heart_rate_variability: number('ms'),
          hrv_kind: nullable(
            oneOfWords(HRV_KINDS, {
              title: 'HrvKind',
              description: 'kind of sleep_heart_rate_variability; null where there is no value',
            }),
          ),
          sleep_respiratory_rate: number('breaths/min'),
          sleep_blood_oxygen: number('percent'),
          sleep_body_temperature: number('°C, or °F with unit_system=imperial'),
          sleep_skin_temperature: number('°C, or °F with unit_system=imperial'),
          sleep_wrist_temperature: number('°C, or °F with unit_system=imperial'),
          stages: stagesOf(timestamp, 'SleepStageForm1'),
          copies: copiesForm1,
          is_main_sleep: isMainSleep(),
          source: sourceForm1,
          sources: Type.Optional(otherSources),
        },
        { title: 'SleepForm1' },
      ),
      { description: 'newest first; null where no record of the sleep has it' },
    ),
  },
  { title: 'SleepListForm1' },
);

export const sleepForm2Reply = Type.Object(
  {
    from_date: Type.String({ format: 'date' }),
    to_date: Type.String({ format: 'date' }),
    data: Type.Array(
      Type.Object(
        {
          id: uuid('sleep session'),
          date: sleepDate(),
          start_time: clock(),
          end_time: clock(),
          duration_minutes: Type.Integer(),
          is_main_sleep: isMainSleep(),
          source: Type.String({ description: 'provider' }),
          asleep_minutes: minutes(),
          deep_minutes: minutes(),
          light_minutes: minutes(),
          rem_minutes: minutes(),
          awake_minutes: minutes(),
          in_bed_minutes: minutes(),
          efficiency_pct: number('time asleep as a percentage of time in bed'),
          stages: stagesOf(clock, 'SleepStageForm2'),
          copies: copiesForm2,
          source_detail: Type.Optional(sourceDetail),
          sources: Type.Optional(otherSources),
        },
        { title: 'SleepForm2' },
      ),
      { description: 'newest first; null where no record of the sleep has it' },
    ),
    next_cursor: nullable(Type.String()),
  },
  { title: 'SleepListForm2' },
);
