// Reads a file with the reader of its format, for tests of readers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { CsvMapping } from '../../src/features/intake/imports/csv/column-mapping.ts';
import type { ImportSink } from '../../src/features/intake/imports/import-sink.ts';
import { type ImportFormat, openImport } from '../../src/features/intake/imports/open-import.ts';

export async function readImport(
  name: string,
  content: string | Buffer,
  mapping: CsvMapping = {},
  format: ImportFormat | null = null,
  onItem: () => void = () => undefined,
) {
  const folder = mkdtempSync(join(tmpdir(), 'read-import-'));
  const path = join(folder, name);
  writeFileSync(path, content);
  const items: [string, string, object, unknown][] = [];
  const rejected: string[] = [];
  const sink: ImportSink = {
    add: (source, list, item, position) => {
      items.push([source.name, list, item, position]);
      onItem();
    },
    skip: () => undefined,
    reject: (message, position) => void rejected.push(`${position}: ${message}`),
    isFull: () => false,
    drain: async () => undefined,
  };
  try {
    const opened = await openImport(path, { format, timezone: 'Europe/Berlin', mapping });
    try {
      await opened.read(sink);
    } finally {
      opened.close();
    }
    return { format: opened.format, items, rejected };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A zip file; `claims` replaces the sizes in its directory. */
export function makeZip(files: Record<string, Buffer>, claims?: { bytes: number }): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claims?.bytes ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, entries, end]);
}
