import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Empty } from '../../../shared/ui/states.tsx';
import { words } from '../words.ts';

/** The call that brings the first user, with the address of this service. */
export function NoUsers({ onCreate }: { onCreate: (() => void) | null }) {
  const environment = useEnvironment();
  const call = [
    `curl ${window.location.origin}/v1/users \\`,
    '  -H "Authorization: Bearer $TRIBUTARY_API_KEY" \\',
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"reference_id": "ada", "timezone": "Europe/Berlin"}'`,
  ].join('\n');
  return (
    <Empty
      title={words.empty}
      action={
        onCreate && (
          <Button kind="first" icon="plus" onClick={onCreate}>
            {words.newUser}
          </Button>
        )
      }
    >
      <p>{words.emptyNote}</p>
      <Code value={call} label="The call that creates a user" />
      {environment === 'sandbox' && <p>{words.emptySandbox}</p>}
    </Empty>
  );
}
