// Sample blocks: the samples of one user, metric and device within a UTC interval, as bytes.

export { MAX_BLOCK_SAMPLES, SampleBlockError } from './block-format.ts';
export { BLOCK_LENGTH_MS, splitIntoBlocks } from './block-interval.ts';
export {
  collectSample,
  createCollector,
  finishCollector,
  packTraits,
  type SampleCollector,
} from './collect-samples.ts';
export { decodeBlock } from './decode-block.ts';
export { encodeBlock } from './encode-block.ts';
export { mergeSamples } from './merge-samples.ts';
export { type RemainingSamples, removeInterval } from './remove-interval.ts';
export {
  columnsOfSamples,
  type SampleColumns,
  type SampleRun,
  samplesOfColumns,
  sliceColumns,
} from './sample-columns.ts';
export { findByTime, sliceByStart, sliceByTime } from './slice-by-time.ts';
export { summarizeBlock } from './summarize-block.ts';
