// WHOOP reports the energy of days and workouts in kilojoules.
import { toCatalogUnit } from '../../domain/metrics/units.ts';

export function toKcal(kilojoule: number | null): number | null {
  return kilojoule === null ? null : toCatalogUnit('active_calories', kilojoule, 'kJ', 'kcal');
}
