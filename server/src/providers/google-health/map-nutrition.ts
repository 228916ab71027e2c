// Meals and daily nutrition totals. https://developers.google.com/health/data-types/nutrition

import { type JsonObject, readList, readPart, readText } from '../read-json.ts';
import { readAmount, readAmountAt, readInterval, readMethod } from './data-points.ts';
import { type Mapping, mapEach, readRollupDate } from './map-points.ts';

/** `nutrients` in grams. Folic acid is one form of folate, and unsaturated fat is the sum of two other nutrients. */
const NUTRIENTS: Readonly<Record<string, string>> = {
  PROTEIN: 'protein',
  SUGAR: 'sugar',
  DIETARY_FIBER: 'fiber',
  SATURATED_FAT: 'saturated_fat',
  MONOUNSATURATED_FAT: 'monounsaturated_fat',
  POLYUNSATURATED_FAT: 'polyunsaturated_fat',
  TRANS_FAT: 'trans_fat',
  CHOLESTEROL: 'cholesterol',
  SODIUM: 'sodium',
  POTASSIUM: 'potassium',
  CALCIUM: 'calcium',
  IRON: 'iron',
  MAGNESIUM: 'magnesium',
  PHOSPHORUS: 'phosphorus',
  ZINC: 'zinc',
  VITAMIN_A: 'vitamin_a',
  VITAMIN_B6: 'vitamin_b6',
  VITAMIN_B12: 'vitamin_b12',
  VITAMIN_C: 'vitamin_c',
  VITAMIN_D: 'vitamin_d',
  VITAMIN_E: 'vitamin_e',
  FOLATE: 'folate',
  CAFFEINE: 'caffeine',
};
const METRICS = ['dietary_energy', 'carbohydrates', 'fat', ...Object.values(NUTRIENTS)];

export const mapMeals: Mapping = mapEach('dataPoints', 'nutritionLog', METRICS, (records, data, point) => {
  const at = { ...readInterval(data), method: readMethod(point) };
  for (const { metric, value, unit } of readContents(data, { kcal: 'kcal', grams: 'grams' }))
    records.sample(metric, at, value, unit);
});

export const mapNutritionDays: Mapping = mapEach(
  'rollupDataPoints',
  'nutritionLog',
  METRICS,
  (records, data, point) => {
    const date = readRollupDate(point);
    for (const { metric, value, unit } of readContents(data, { kcal: 'kcalSum', grams: 'gramsSum' }))
      records.daily(metric, date, value, unit, readMethod(point));
  },
);

type Content = { readonly metric: string; readonly value: number | null; readonly unit: string };

function readContents(data: JsonObject, names: { readonly kcal: string; readonly grams: string }): Content[] {
  const grams = (part: string) => readAmountAt(data, `${part}.${names.grams}`);
  return [
    { metric: 'dietary_energy', value: readAmountAt(data, `energy.${names.kcal}`), unit: 'kcal' },
    { metric: 'carbohydrates', value: grams('totalCarbohydrate'), unit: 'g' },
    { metric: 'fat', value: grams('totalFat'), unit: 'g' },
    ...readList(data, 'nutrients').flatMap((item) => {
      const metric = NUTRIENTS[readText(item, 'nutrient') ?? ''];
      if (metric === undefined) return [];
      return [{ metric, value: readAmount(readPart(item, 'quantity') ?? {}, names.grams), unit: 'g' }];
    }),
  ];
}
