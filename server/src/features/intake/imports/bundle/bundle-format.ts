// What the writer and the reader of bundles agree on (docs/bundle.md).

export const BUNDLE_FORMAT = 'tributary-bundle';
/** Version 2 added baseline lines. */
export const BUNDLE_VERSION = 2;
/** Keeps a line under a few hundred kilobytes. */
export const MAX_SAMPLES_PER_LINE = 5_000;
