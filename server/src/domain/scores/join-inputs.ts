// A day that has data and was given as a hidden one, too: what later days are held against.
import type { DayInputs } from './day-inputs.ts';

/** Field by field: a day that somebody sends steps of has not lost its night. */
export function joinInputs(told: DayInputs, hidden: DayInputs): DayInputs {
  const isTold = (series: string) => told.hrv.some((one) => one.series === series);
  return {
    ...told,
    values: { ...hidden.values, ...told.values },
    mainSleep: told.mainSleep ?? hidden.mainSleep,
    hrv: [...told.hrv, ...hidden.hrv.filter(({ series }) => !isTold(series))],
    sleepSpans: told.mainSleep === null ? (hidden.sleepSpans ?? []) : (told.sleepSpans ?? []),
    still: told.still.length > 0 ? told.still : hidden.still,
  };
}
