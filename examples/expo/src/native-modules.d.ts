// The parts of the native packages that this app uses, so that it can be type checked without installing them.
declare module 'expo' {
  export function registerRootComponent(component: () => import('react').ReactNode): void;
}
declare module 'expo-web-browser' {
  export function openBrowserAsync(url: string): Promise<unknown>;
}
declare module 'react-native' {
  type Box = { children?: import('react').ReactNode; style?: object };
  export const Platform: { OS: 'ios' | 'android' | 'web' };
  export function SafeAreaView(props: Box): import('react').ReactNode;
  export function Text(props: Box): import('react').ReactNode;
  export function Button(props: { title: string; onPress: () => void; disabled?: boolean }): import('react').ReactNode;
}
declare module 'react-native-mmkv' {
  export function createMMKV(options: { id: string }): {
    getString(key: string): string | undefined;
    set(key: string, value: string): void;
    remove(key: string): boolean;
    getAllKeys(): string[];
  };
}
declare module '@kingstinct/react-native-healthkit' {
  export const requestAuthorization: import('./healthkit.ts').HealthKit['requestAuthorization'];
  export const queryQuantitySamplesWithAnchor: import('./healthkit.ts').HealthKit['queryQuantitySamplesWithAnchor'];
}
declare module 'react-native-health-connect' {
  export const initialize: import('./health-connect.ts').HealthConnect['initialize'];
  export const requestPermission: import('./health-connect.ts').HealthConnect['requestPermission'];
  export const readRecords: import('./health-connect.ts').HealthConnect['readRecords'];
  export const getChanges: import('./health-connect.ts').HealthConnect['getChanges'];
}
