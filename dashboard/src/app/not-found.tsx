import { Link } from '@tanstack/react-router';
import { buttonClass } from '../shared/ui/button.tsx';
import { Card } from '../shared/ui/card.tsx';
import { Empty } from '../shared/ui/states.tsx';

export function NotFound() {
  return (
    <Card>
      <Empty
        title="There is no page at this address"
        action={
          <Link to="/" className={buttonClass('first')}>
            Open the dashboard
          </Link>
        }
      >
        The address may be incomplete, or the page has moved.
      </Empty>
    </Card>
  );
}
