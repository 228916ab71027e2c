// A synthetic Apple Health export: heart rates every minute, steps every five, sleep, and a workout per day.
import { DAY_MINUTES, MINUTE_MS } from '../../src/domain/time/durations.ts';

const START_MS = Date.UTC(2020, 0, 1);
const CHUNK_LENGTH = 65_536;
const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData EMPTY>\n]>\n<HealthData>\n';
/** As in real exports, with an address that differs between records. */
const deviceOf = (index: number) =>
  `&lt;&lt;HKDevice: 0x${(0x2834a1c20 + (index % 997) * 64).toString(16)}&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:11.0&gt;`;

export function* generateExport(bytes: number): Generator<string> {
  let size = 0;
  let text = HEAD;
  for (let minute = 0; size < bytes; minute += 1) {
    text += recordsAt(minute);
    if (text.length < CHUNK_LENGTH) continue;
    size += text.length;
    yield text;
    text = '';
  }
  yield `${text}</HealthData>\n`;
}

function recordsAt(minute: number): string {
  const watch = `sourceName="Apple Watch" sourceVersion="11.0" device="${deviceOf(minute)}"`;
  const at = timesOf(minute, minute);
  let text = ` <Record type="HKQuantityTypeIdentifierHeartRate" ${watch} unit="count/min" ${at} value="${60 + (minute % 40)}">\n  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>\n </Record>\n`;
  if (minute % 5 === 0)
    text += ` <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" sourceVersion="18.1" unit="count" ${timesOf(minute, minute + 5)} value="${minute % 300}"/>\n`;
  if (minute % DAY_MINUTES === 30)
    text += ` <Record type="HKCategoryTypeIdentifierSleepAnalysis" ${watch} ${timesOf(minute, minute + 400)} value="HKCategoryValueSleepAnalysisAsleepCore"/>\n`;
  if (minute % DAY_MINUTES === 1_000)
    text += ` <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="Apple Watch" ${timesOf(minute, minute + 30)}>\n  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="250" unit="kcal"/>\n </Workout>\n`;
  return text;
}

function timesOf(start: number, end: number): string {
  return `creationDate="${dateOf(end)}" startDate="${dateOf(start)}" endDate="${dateOf(end)}"`;
}

function dateOf(minute: number): string {
  const time = new Date(START_MS + minute * MINUTE_MS).toISOString();
  return `${time.slice(0, 10)} ${time.slice(11, 19)} +0100`;
}
