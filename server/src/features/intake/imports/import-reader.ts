// Reads a file for an import: in this thread, or in one of its own (import-thread.ts).
import { type BatchConsumer, collectBatches, type ReadFrom, type ReadResult } from './collect-batches.ts';
import type { ImportFormat, ImportOptions } from './open-import.ts';

export type ImportReader = {
  readonly format: ImportFormat;
  readonly totalBytes: number;
  read(from: ReadFrom, consumer: BatchConsumer): Promise<ReadResult>;
  close(): void;
};

export async function openHere(path: string, options: ImportOptions): Promise<ImportReader> {
  const { openImport } = await import('./open-import.ts'); // the readers of all formats: 36 modules, seldom used
  const opened = await openImport(path, options);
  const { format, totalBytes, close } = opened;
  return { format, totalBytes, close, read: (from, consumer) => collectBatches(opened, from, consumer) };
}
