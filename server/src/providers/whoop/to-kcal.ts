// WHOOP counts energy in kilojoules, of days and of workouts.
import { toCatalogUnit } from '../../domain/metrics/units.ts';

export function toKcal(kilojoule: number | null): number | null {
  return kilojoule === null ? null : toCatalogUnit('active_calories', kilojoule, 'kJ', 'kcal');
}
