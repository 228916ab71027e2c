// Methods of consolidation in words.

export const METHOD_NAMES = {
  merge: 'merge',
  priority: 'priority',
  max: 'largest',
  avg: 'mean',
  sum: 'sum',
} as const;
export type Method = keyof typeof METHOD_NAMES;
