import { IconButton } from '../shared/ui/button.tsx';
import type { IconName } from '../shared/ui/icon.tsx';
import { type Theme, useTheme } from './theme.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS: Readonly<Record<Theme, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };
const NAMES: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

/** Goes round: as the system, light, dark. */
export function ThemeButton() {
  const [theme, choose] = useTheme();
  return (
    <IconButton
      icon={ICONS[theme]}
      label={`Theme: ${NAMES[theme]}. Change to ${NAMES[NEXT[theme]]}`}
      onClick={() => choose(NEXT[theme])}
    />
  );
}
