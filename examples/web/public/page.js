import { connectButton } from '@tributary/connect';
import { drawChart } from './chart.js';

const find = (id) => document.querySelector(`#${id}`);
const read = async (path, options) => (await fetch(path, options)).json();

async function refresh() {
  find('chart').innerHTML = drawChart(await read('/api/steps'));
  const events = await read('/api/events');
  find('events').replaceChildren(
    ...events.map(({ timestamp, event_type }) => {
      const item = document.createElement('li');
      item.textContent = `${timestamp} ${event_type}`;
      return item;
    }),
  );
}

connectButton(find('connect'), {
  authUrl: async () => (await read('/api/connect-link', { method: 'POST' })).auth_url,
  onOutcome: (outcome) => {
    find('outcome').textContent = outcome.status;
    refresh();
  },
});

await refresh();
setInterval(refresh, 5_000);
