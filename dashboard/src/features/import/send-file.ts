// Sends a file in parts, one after the other. A part whose answer was lost is sent again, which does no harm.
import { api } from '../../api/client.ts';
import type { FileImport } from './queries.ts';

const PART_BYTES = 4_194_304; // the limit of the service
const ATTEMPTS = 4;
const PAUSE_MS = 1_000;

type Options = {
  readonly path: string;
  readonly file: Blob & { readonly name: string };
  readonly timezone: string | undefined;
  readonly mapping: object | undefined;
  readonly signal: AbortSignal;
  onProgress(state: FileImport): void;
};

export async function sendFile({ path, file, timezone, mapping, signal, onProgress }: Options): Promise<FileImport> {
  let state = await api.post<FileImport>(path, { file_name: file.name, size_bytes: file.size, timezone, mapping });
  onProgress(state);
  while (state.status === 'uploading') {
    const offset = state.received_bytes;
    const part = file.slice(offset, offset + PART_BYTES);
    state = await repeat(
      () => api.putBytes<FileImport>(`${path}/${state.id}/parts/${offset}`, part, { signal }),
      signal,
    );
    onProgress(state);
  }
  return state;
}

async function repeat<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      const isLost = (error as { readonly status?: number }).status === 0;
      if (signal.aborted || !isLost || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
}
