import { createContext, use } from 'react';
import type { Environment } from '../../shared/routing/parents.ts';
import { type DeviceLook, unknownDevice } from '../../shared/user/devices.ts';
import type { UserHead } from '../../shared/user/head.ts';

type ViewedUser = {
  readonly devices: ReadonlyMap<number, DeviceLook>;
  readonly head: UserHead;
  readonly environment: Environment;
  readonly userId: string;
};

/** The user that all parts of the page are about. */
export const UserContext = createContext<ViewedUser | null>(null);

/** Apart from the user, so that another date renders only what shows the date. */
export const DateContext = createContext<string | null>(null);

export function useViewedUser(): ViewedUser {
  return orThrow(use(UserContext));
}

export function useDate(): string {
  return orThrow(use(DateContext));
}

export function useDevice(): (number: number) => DeviceLook {
  const { devices } = useViewedUser();
  return (number) => devices.get(number) ?? unknownDevice(number);
}

function orThrow<Value>(value: Value | null): Value {
  if (value === null) throw new Error('only below the page of a day');
  return value;
}
