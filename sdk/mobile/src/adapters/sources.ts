// The source of a record: the app that wrote it, and the hardware that measured it.
import type { DeviceClass, RecordedBy, Source } from '../upload.ts';

/** The service rejects longer texts, and a record is worth more than the end of its title or the id of its original. */
const MAX_TEXT_LENGTH = 255;

/** Without what the service cannot store: NUL and half surrogate pairs. */
export function cleanText(text: string | undefined): string {
  return (text ?? '')
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll('\0', '')
    .replace(/[\ud800-\udfff]/gu, '');
}

/** Apps that write the data of one kind of device, by a word of their bundle or package id. */
const CLASS_OF_APP: readonly [word: string, DeviceClass][] = [
  ['ouraring', 'ring'],
  ['ultrahuman', 'ring'],
  ['garmin', 'wrist'],
  ['whoop', 'wrist'],
  ['fitbit', 'wrist'],
  ['dexcom', 'cgm'],
  ['librelink', 'cgm'],
  ['freestylelibre', 'cgm'],
];

function classOfApp(bundleId: string): DeviceClass {
  return CLASS_OF_APP.find(([word]) => bundleId.toLowerCase().includes(word))?.[1] ?? 'app';
}

/**
 * `productType` is such as `Watch6,2` or `iPhone14,2`. It is part of the id, because one app can write from a watch and a phone, and
 * these rank differently.
 */
export function appleSource(source: {
  readonly bundleId: string;
  readonly name?: string | undefined;
  readonly productType?: string | undefined;
  readonly osVersion?: string | undefined;
}): Source {
  const { bundleId, osVersion } = source;
  const [name, productType] = [cleanText(source.name), cleanText(source.productType)];
  const isApple = bundleId.startsWith('com.apple.');
  return {
    provider: 'apple_health',
    id: cleanText(productType ? `${bundleId} ${productType}` : bundleId),
    ...(name && { name }),
    ...(productType && { model: productType }),
    device_class: (isApple ? classOfApple(productType || name) : classOfWatch(productType)) ?? classOfApp(bundleId),
    ...(osVersion && { os_version: osVersion }),
  };
}

/** Some bridges report no product, only a name such as "Anna's Apple Watch". */
function classOfApple(text: string): DeviceClass {
  return /watch/i.test(text) ? 'wrist' : 'phone';
}

/** Another vendor's app on an iPhone writes what the vendor's device measured, so only a watch is known to be one. */
function classOfWatch(productType: string): DeviceClass | null {
  return productType.startsWith('Watch') ? 'wrist' : null;
}

/**
 * For records that may repeat those of a connected account. `id` is the app's own id of the record; it is sent only if it is a plain
 * text. Apple's apps record themselves.
 */
export function recordedBy(app: string | undefined, id: unknown): { recorded_by?: RecordedBy } {
  if (!isText(app) || app.startsWith('com.apple.')) return {};
  return { recorded_by: { app, ...(isText(id) && { id }) } };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && /^[\x21-\x7e]+$/.test(value);
}

/** `Device.TYPE_…` of Health Connect. */
const CLASS_OF_TYPE: readonly (DeviceClass | null)[] = [
  null,
  'wrist',
  'phone',
  'scale',
  'ring',
  null,
  'wrist',
  'chest_strap',
  null,
];

export function androidSource(origin: {
  readonly packageName: string;
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  readonly type?: number | undefined;
}): Source {
  const { packageName, manufacturer, model, type } = origin;
  const hardware = cleanText([manufacturer, model].filter((text) => text !== undefined && text !== '').join(' '));
  return {
    provider: 'health_connect',
    id: cleanText(hardware === '' ? packageName : `${packageName} ${hardware}`),
    name: packageName,
    ...(hardware !== '' && { model: hardware }),
    device_class: CLASS_OF_TYPE[type ?? 0] ?? classOfApp(packageName),
  };
}
