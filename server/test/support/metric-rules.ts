// The rules of `promtool check metrics`, so that they hold on machines without promtool.
import type { ScrapedMetric } from './scrape.ts';

/** Abbreviations and multiples of the base units seconds, bytes, meters, grams, degrees celsius, volts, amperes, joules and ratios. */
const NOT_BASE_UNITS =
  /(^|_)(milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|weeks?|ms|us|ns|s|sec|secs|kilobytes?|megabytes?|gigabytes?|kb|mb|gb|kib|mib|gib|bits?|percent|percents|kilograms?|kg|kilometers?|km|fahrenheit|kelvin)(_|$)/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

export function findMetricProblems({ name, type, help }: Pick<ScrapedMetric, 'help' | 'name' | 'type'>): string[] {
  const isHistogram = type === 'histogram' || type === 'summary';
  return [
    help.trim() === '' && 'has no help text',
    /[A-Z]/.test(name) && 'is in camelCase; use snake_case',
    name.includes(':') && 'has a colon, which is for recording rules',
    type === 'counter' && !name.endsWith('_total') && 'is a counter and does not end with _total',
    type !== 'counter' && name.endsWith('_total') && 'ends with _total and is no counter',
    !isHistogram && /_(count|sum|bucket)$/.test(name) && 'ends like a series of a histogram',
    NOT_BASE_UNITS.test(name) && 'does not use a base unit',
    TYPES.some((word) => new RegExp(`(^|_)${word}(_|$)`).test(name)) && 'names its type',
    type === 'histogram' && !/_(seconds|bytes)$/.test(name) && 'is a histogram without a unit',
  ].flatMap((problem) => (problem === false ? [] : [`${name} ${problem}`]));
}
