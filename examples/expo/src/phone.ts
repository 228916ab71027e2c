// The native modules of the phone that the app runs on.
import type { Storage } from '@tributary/mobile';
import { Platform } from 'react-native';
import { createMMKV } from 'react-native-mmkv';
import { openHealthConnect } from './health-connect.ts';
import type { HealthPlatform } from './health-source.ts';
import { openHealthKit } from './healthkit.ts';

export async function openHealth(): Promise<HealthPlatform> {
  return Platform.OS === 'ios'
    ? openHealthKit(await import('@kingstinct/react-native-healthkit'))
    : openHealthConnect(await import('react-native-health-connect'));
}

export function openStorage(): Storage {
  const mmkv = createMMKV({ id: 'tributary' });
  return {
    get: async (key) => mmkv.getString(key) ?? null,
    set: async (key, value) => mmkv.set(key, value),
    delete: async (key) => void mmkv.remove(key),
    keys: async (prefix) => mmkv.getAllKeys().filter((key) => key.startsWith(prefix)),
  };
}
