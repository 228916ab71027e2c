import { getRouteApi } from '@tanstack/react-router';
import { EventTail } from './parts/event-tail.tsx';

const route = getRouteApi('/$environment/events');

/** Another filter is another list, so it starts over. */
export function EventsPage() {
  const { environment } = route.useParams();
  const { type, user, q } = route.useSearch();
  return <EventTail key={[environment, type, user, q].join(' ')} />;
}
