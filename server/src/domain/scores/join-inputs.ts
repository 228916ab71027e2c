// Joins the reported inputs of a day with its hidden inputs, which later days are compared with.
import type { DayInputs } from './day-inputs.ts';

/** Field by field: a day with uploaded steps keeps its hidden night. */
export function joinInputs(reported: DayInputs, hidden: DayInputs): DayInputs {
  const isReported = (series: string) => reported.hrv.some((one) => one.series === series);
  return {
    ...reported,
    values: { ...hidden.values, ...reported.values },
    mainSleep: reported.mainSleep ?? hidden.mainSleep,
    hrv: [...reported.hrv, ...hidden.hrv.filter(({ series }) => !isReported(series))],
    sleepIntervals: reported.mainSleep === null ? (hidden.sleepIntervals ?? []) : (reported.sleepIntervals ?? []),
    still: reported.still.length > 0 ? reported.still : hidden.still,
  };
}
