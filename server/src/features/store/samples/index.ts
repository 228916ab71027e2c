export { inspectBlock, unpackBlock } from './block-payload.ts';
export { type DeviceSamples, describeSamples } from './describe-samples.ts';
export { joinColumns, type PartsOfDevices, type SampleRequest, type SamplesOfDevices } from './gather-samples.ts';
export { type NormalizedSeries, normalizedSeries, snap, toCatalogValue } from './normalized-series.ts';
export { reachLongSamples } from './reach-long-samples.ts';
export { readSampleParts, readSamples } from './read-samples.ts';
export {
  type MergeResult,
  openSampleBuffer as openSampleBook,
  type SampleBuffer as SampleBook,
  type Touched,
} from './sample-buffer.ts';
export {
  type BlockCount,
  type BlockPosition as BlockPlace,
  countSamples,
  type ListedBlock,
  listBlocks,
  listSampleIntervals as listSampleSpans,
  readBlockPayload,
  removeSamples,
  type SampleInterval as SampleSpan,
} from './store.ts';
