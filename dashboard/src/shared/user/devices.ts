// Names and colours of devices. A device has one colour and one shape everywhere. Pure.
import type { UserDevice } from './head.ts';
import { CLOUD_PROVIDER_NAMES } from './provider-names.gen.ts';

export type DeviceLook = {
  readonly number: number;
  readonly name: string;
  /** Provider, or that the phone sends it. */
  readonly via: string;
  readonly deviceClass: string;
  /** A custom property: `var(--who-1)`. */
  readonly colour: string;
  /** The sixth device repeats a colour with a dashed stroke. */
  readonly isDashed: boolean;
};

const COLOURS = 5;

const PROVIDERS: Readonly<Record<string, string>> = {
  ...CLOUD_PROVIDER_NAMES,
  apple_health: 'Apple Health',
  health_connect: 'Health Connect',
  samsung_health: 'Samsung Health',
  file: 'Imported file',
};

/** The dashboard says watch where the API says wrist. */
const CLASSES: Readonly<Record<string, string>> = {
  wrist: 'watch',
  chest_strap: 'chest strap',
  cgm: 'glucose sensor',
};

export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider.replaceAll('_', ' ');
}

export function className(deviceClass: string): string {
  return CLASSES[deviceClass] ?? deviceClass;
}

/** What a look is made of. */
type Described = Pick<UserDevice, 'number' | 'provider' | 'name' | 'model' | 'transport' | 'device_class'>;

/** By number, coloured in the order of connection. */
export function lookOf(devices: readonly Described[]): ReadonlyMap<number, DeviceLook> {
  const sources = devices.filter(({ number }) => number > 0).toSorted((a, b) => a.number - b.number);
  return new Map(sources.map((device, index) => [device.number, describe(device, index)]));
}

function describe(device: Described, index: number): DeviceLook {
  const provider = providerName(device.provider);
  return {
    number: device.number,
    name: device.name ?? device.model ?? provider,
    via: device.transport === 'sdk' ? 'phone SDK' : provider,
    deviceClass: device.device_class,
    colour: `var(--who-${(index % COLOURS) + 1})`,
    isDashed: index >= COLOURS,
  };
}

/** Stands for a device that was removed since. */
export function unknownDevice(number: number): DeviceLook {
  return {
    number,
    name: 'Removed device',
    via: '',
    deviceClass: 'app',
    colour: 'var(--faint)',
    isDashed: false,
  };
}
