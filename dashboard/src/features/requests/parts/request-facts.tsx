import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keysQuery } from '../../../shared/query/keys-query.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Facts } from '../../../shared/ui/facts.tsx';
import { describeBytes, describeCredential } from '../describe-request.ts';
import type { Request } from '../queries.ts';
import { words } from '../words.ts';

/** Everything the log has about a call; values lead to the calls that share them. */
export function RequestFacts({ request }: { request: Request }) {
  const environment = useEnvironment();
  const keys = useQuery(keysQuery(environment));
  const { credential, user_id } = request;
  const who = describeCredential(credential, keys.data?.data ?? []);
  const list = { to: '/$environment/requests', params: { environment } } as const;
  return (
    <Facts
      facts={[
        [
          words.endpoint,
          <Link key="route" {...list} search={{ route: request.route }}>
            {request.method} {request.route}
          </Link>,
        ],
        [words.path, <code key="path">{request.path}</code>],
        [
          words.credential,
          credential.kind === 'api_key' && credential.id !== null ? (
            <Link key="key" {...list} search={{ key: credential.id }}>
              {who}
            </Link>
          ) : (
            who
          ),
        ],
        [words.program, request.agent ?? words.unknown],
        [words.size, describeBytes(request.bytes)],
        [
          words.userName,
          user_id === null ? (
            words.unknown
          ) : (
            <Link key="user" to={`/${environment}/users/${user_id}` as '/'}>
              {request.reference_id ?? user_id}
            </Link>
          ),
        ],
      ]}
    />
  );
}
