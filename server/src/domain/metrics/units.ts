// Units that a device may send and a client may request. Factors are exact; nothing is rounded here.

type Conversion = { readonly factor: number; readonly offset: number };

const POUND_KG = 0.45359237;
const MILE_KM = 1.609344;
const GLUCOSE_MG_DL = 18.0156; // molar mass 180.156 g/mol
const FLUID_OUNCE_ML = 29.5735295625;
const KCAL_KJ = 4.184; // thermochemical

/** value in the first unit × factor + offset = value in the second. */
const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, number | Conversion>>>> = {
  km: { m: 1_000, cm: 100_000, mi: 1 / MILE_KM, ft: 1_000 / 0.3048, yd: 1_000 / 0.9144 },
  m: { km: 0.001, cm: 100, mi: 1 / (MILE_KM * 1_000), ft: 1 / 0.3048, yd: 1 / 0.9144 },
  cm: { m: 0.01, in: 1 / 2.54, ft: 1 / 30.48 },
  kg: { g: 1_000, lb: 1 / POUND_KG, oz: 16 / POUND_KG, st: 1 / (POUND_KG * 14) },
  g: { kg: 0.001, mg: 1_000, oz: 16 / (POUND_KG * 1_000) },
  mg: { g: 0.001, µg: 1_000 },
  µg: { mg: 0.001, g: 0.000_001 },
  min: { s: 60, ms: 60_000, h: 1 / 60 },
  ms: { s: 0.001 },
  '°C': { '°F': { factor: 1.8, offset: 32 }, K: { factor: 1, offset: 273.15 } },
  'km/h': { 'm/s': 1 / 3.6, mph: 1 / MILE_KM },
  'm/s': { 'ft/s': 1 / 0.3048 },
  kcal: { cal: 1_000, kJ: KCAL_KJ, J: KCAL_KJ * 1_000 },
  bpm: { 'count/min': 1, Hz: 1 / 60 },
  'breaths/min': { 'count/min': 1 },
  '%': { fraction: 0.01 },
  W: { kW: 0.001 },
  L: { mL: 1_000 },
  mL: { L: 0.001, 'fl oz': 1 / FLUID_OUNCE_ML, cup: 1 / 236.5882365 },
  mmHg: { kPa: 0.133322387415 },
  'mmol/L': { 'mg/dL': GLUCOSE_MG_DL },
};

/** Temperature differences have no offset; such metrics are recognized by their id. */
const DIFFERENCES = /_deviation$/;

/** From the catalog's unit to another one. */
export function fromCatalogUnit(metricId: string, value: number, catalogUnit: string, wanted: string): number {
  const { factor, offset } = conversionOf(metricId, catalogUnit, wanted);
  return value * factor + offset;
}

/** From what a device sent to the catalog's unit. */
export function toCatalogUnit(metricId: string, value: number, sent: string, catalogUnit: string): number {
  const { factor, offset } = conversionOf(metricId, catalogUnit, sent);
  return (value - offset) / factor;
}

function conversionOf(metricId: string, catalogUnit: string, other: string): Conversion {
  if (catalogUnit === other) return { factor: 1, offset: 0 };
  const found = CONVERSIONS[catalogUnit]?.[other];
  if (found === undefined) throw new Error(`no conversion between ${catalogUnit} and ${other}`);
  const conversion = typeof found === 'number' ? { factor: found, offset: 0 } : found;
  return DIFFERENCES.test(metricId) ? { ...conversion, offset: 0 } : conversion;
}
