// The source of a HealthKit record: the app or device that wrote it. An export has no bundle ids, so a source is identified by
// its name and by the hardware that measured.
import { MAX_TEXT_LENGTH } from '../../../../domain/metrics/record-limits.ts';
import type { ImportSource } from '../import-sink.ts';
import { shortenText } from '../shorten-text.ts';
import { decodeText } from './decode-text.ts';

const HARDWARE = /\bhardware:([^,>]+)/;
const UNKNOWN_NAME = 'Apple Health';
/** More than any export has; what comes after it is looked up again. */
const MAX_KNOWN = 10_000;

/** Returns the same object for the same source. */
export function createSourceReader(): (sourceName: string | undefined, device: string | undefined) => ImportSource {
  const byText = new Map<string, ImportSource>();
  const byId = new Map<string, ImportSource>();
  const last = { name: '', device: '', source: null as ImportSource | null };
  return (sourceName = '', device = '') => {
    // The device begins with a memory address that differs between records. Neighbours usually have the same source.
    const ofDevice = device.slice(device.indexOf(',') + 1); // endsWith would take several times as long
    if (last.source !== null && sourceName === last.name && ofDevice === last.device) return last.source;
    const source = find(sourceName, ofDevice);
    Object.assign(last, { name: sourceName, device: ofDevice, source });
    return source;
  };

  function find(sourceName: string, device: string): ImportSource {
    const text = `${sourceName}\n${device}`;
    const known = byText.get(text);
    if (known !== undefined) return known;
    const name = clean(decodeText(sourceName)) || UNKNOWN_NAME;
    const model = clean(HARDWARE.exec(decodeText(device))?.[1] ?? '');
    const id = shortenText(`import ${name} ${model}`.trimEnd(), MAX_TEXT_LENGTH);
    let source = byId.get(id);
    if (source === undefined) {
      source = { provider: 'apple_health', id, name, ...(model !== '' && { model }) };
      byId.set(id, source);
    }
    if (byText.size < MAX_KNOWN) byText.set(text, source);
    return source;
  }
}

function clean(text: string): string {
  return shortenText(text.trim(), MAX_TEXT_LENGTH);
}
