// Why a source has its rank, in words. Pure.
import { lowerFirst } from '../words/lower-first.ts';
import { className } from './devices.ts';

type Ranked = {
  /** From 1. */
  readonly rank: number;
  readonly rank_reason: 'only_device' | 'transport' | 'device_class' | 'connection_time' | 'id' | 'imported_copy';
  readonly transport: 'sdk' | 'cloud';
  readonly device_class: string;
  /** 0: the class is not ranked for the metric. */
  readonly class_rank: number;
};

/** "watch: 1st for steps", "sent by the phone itself". */
export function explainRank(source: Ranked, metricName: string): string {
  const { rank, rank_reason: reason, transport, class_rank: classRank, device_class: deviceClass } = source;
  const lead = rank === 1 ? 'first: ' : '';
  switch (reason) {
    case 'only_device':
      return 'the only source';
    case 'transport':
      return transport === 'sdk' ? `${lead}sent by the phone itself` : 'from a provider account, after the phone';
    case 'device_class':
      return classRank > 0
        ? `${className(deviceClass)}: ${ordinal(classRank)} for ${lowerFirst(metricName)}`
        : `${className(deviceClass)}: not ranked for ${lowerFirst(metricName)}`;
    case 'connection_time':
      return rank === 1 ? 'first: newer connection' : 'older connection';
    case 'imported_copy':
      return 'an imported copy';
    default:
      return 'equal in every rule; by id';
  }
}

function ordinal(rank: number): string {
  const ends = ['th', 'st', 'nd', 'rd'];
  return `${rank}${ends[rank <= 3 ? rank : 0]}`;
}
