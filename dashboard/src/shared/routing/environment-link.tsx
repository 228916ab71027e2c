import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from './use-environment.ts';

type Props = {
  /** Of the page below the environment: `users?filter=attention`. */
  readonly path: string;
  readonly className?: string | undefined;
  readonly title?: string;
  readonly children: ReactNode;
};

/** A link to a page of another feature, in the same environment. */
export function EnvironmentLink({ path, children, ...rest }: Props) {
  const environment = useEnvironment();
  const [address = '', query = ''] = path.split('?');
  return (
    <Link
      {...rest}
      to={`/${environment}/${address}` as '/'}
      search={Object.fromEntries(new URLSearchParams(query)) as never}
    >
      {children}
    </Link>
  );
}
