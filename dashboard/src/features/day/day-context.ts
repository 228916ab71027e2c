import { createContext, use } from 'react';
import type { Environment } from '../../shared/routing/parents.ts';
import { type DeviceLook, unknownDevice } from '../../shared/user/devices.ts';
import type { UserHead } from '../../shared/user/head.ts';

type Day = {
  readonly devices: ReadonlyMap<number, DeviceLook>;
  readonly head: UserHead;
  readonly environment: Environment;
  readonly userId: string;
  readonly date: string;
};

/** The user and the day that all parts of the page are about. */
export const DayContext = createContext<Day | null>(null);

export function useDay(): Day {
  const day = use(DayContext);
  if (day === null) throw new Error('only below the page of a day');
  return day;
}

export function useDevice(): (number: number) => DeviceLook {
  const { devices } = useDay();
  return (number) => devices.get(number) ?? unknownDevice(number);
}
