// Timestamps on the wire, fast: samples come minute by minute, so that most of the text is the one before.
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const HOUR_MINUTES = 60;
const TIME_OF_DAY = '00:00:00.000Z';

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

export type TimeFormat = (epochMs: number) => string;

/** Whole milliseconds as `formatInstant` writes them, between two texts that never change. */
export function createTimeFormat(before = '', after = ''): TimeFormat {
  const wholeSeconds = twoDigits.map((second) => `${second}Z${after}`);
  let minute = Number.NaN;
  let upToMinute = '';
  let day = Number.NaN;
  let upToDay = '';
  const enterMinute = () => {
    const wantedDay = Math.floor(minute / DAY_MINUTES);
    if (wantedDay !== day) {
      day = wantedDay;
      const midnight = new Date(day * DAY_MINUTES * MINUTE_MS).toISOString();
      upToDay = before + midnight.slice(0, -TIME_OF_DAY.length);
    }
    const ofDay = minute - day * DAY_MINUTES;
    const hour = Math.floor(ofDay / HOUR_MINUTES);
    upToMinute = `${upToDay}${twoDigits[hour]}:${twoDigits[ofDay - hour * HOUR_MINUTES]}:`;
  };
  return (epochMs) => {
    const wanted = Math.floor(epochMs / MINUTE_MS);
    if (wanted !== minute) {
      minute = wanted;
      enterMinute();
    }
    const rest = epochMs - minute * MINUTE_MS;
    const second = (rest / 1_000) | 0;
    const milliseconds = rest - second * 1_000;
    if (milliseconds === 0) return upToMinute + wholeSeconds[second];
    return `${upToMinute}${twoDigits[second]}.${String(milliseconds).padStart(3, '0')}Z${after}`;
  };
}
