export { inspectBlock, unpackBlock } from './block-payload.ts';
export { type DeviceSamples, describeSamples } from './describe-samples.ts';
export { joinColumns, type PartsOfDevices, type SampleRequest, type SamplesOfDevices } from './gather-samples.ts';
export { type NormalizedSeries, normalizedSeries, snap, toCatalogValue } from './normalized-series.ts';
export { reachLongSamples } from './reach-long-samples.ts';
export { readSampleParts, readSamples } from './read-samples.ts';
export {
  type MergeResult,
  openSampleBuffer,
  type SampleBuffer,
  type Touched,
} from './sample-buffer.ts';
export {
  type BlockCount,
  type BlockPosition,
  countSamples,
  type ListedBlock,
  listBlocks,
  listSampleIntervals,
  readBlockPayload,
  removeSamples,
  type SampleInterval,
} from './store.ts';
export { type BlockSummary, listCoveredBlocks, summarizeBlocks } from './summary-store.ts';
