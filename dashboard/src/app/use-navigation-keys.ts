import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { addShortcut } from '../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../shared/routing/use-environment.ts';
import { useSession } from '../shared/session/session.ts';
import { listGroups } from './navigation.ts';

/** `g` and a letter go to a page. */
export function useNavigationKeys(): void {
  const router = useRouter();
  const environment = useEnvironment();
  const isOperator = useSession()?.member.is_operator ?? false;
  useEffect(() => {
    const removals = listGroups(router, isOperator)
      .flatMap(({ entries }) => entries)
      .map(({ key, label, section }) =>
        addShortcut({
          keys: `g ${key}`,
          words: `Go to ${label}`,
          run: () => void router.navigate({ href: router.buildLocation({ to: `/${environment}/${section}` }).href }),
        }),
      );
    return () => {
      for (const remove of removals) remove();
    };
  }, [router, environment, isOperator]);
}
