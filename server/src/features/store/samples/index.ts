export { inspectBlock, unpackBlock } from './block-payload.ts';
export { type DeviceSamples, describeSamples } from './describe-samples.ts';
export { joinColumns, type PartsOfDevices, type SampleRequest, type SamplesOfDevices } from './gather-samples.ts';
export { type NormalizedSeries, normalizedSeries, snap, toCatalogValue } from './normalized-series.ts';
export { reachLongSamples } from './reach-long-samples.ts';
export { readSampleParts, readSamples } from './read-samples.ts';
export { type MergeResult, openSampleBook, type SampleBook, type Touched } from './sample-book.ts';
export {
  type BlockCount,
  type BlockPlace,
  countSamples,
  type ListedBlock,
  listBlocks,
  listSampleSpans,
  readBlockPayload,
  removeSamples,
  type SampleSpan,
} from './store.ts';
