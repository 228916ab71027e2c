// The profile of a user as the API and the portable bundle write it.
import { oneOfWords } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { SEXES } from './store.ts';

export const profileFields = {
  birth_date: Type.String({ format: 'date', maxLength: 10 }),
  sex: oneOfWords(SEXES),
  height_cm: Type.Number({ minimum: 30, maximum: 280 }),
  weight_kg: Type.Number({ minimum: 1, maximum: 700 }),
  max_heart_rate: Type.Number({
    minimum: 80,
    maximum: 250,
    description: 'measured maximum in bpm; estimated if absent',
  }),
  sleep_need_minutes: Type.Integer({ minimum: 180, maximum: 900 }),
  energy_goal_ratio: Type.Number({
    minimum: 0.5,
    maximum: 2,
    description: 'target ratio of energy eaten to energy spent',
  }),
};

export const profileReply = Type.Object(
  Object.fromEntries(Object.entries(profileFields).map(([name, schema]) => [name, Type.Optional(schema)])),
  { title: 'UserProfile' },
);
