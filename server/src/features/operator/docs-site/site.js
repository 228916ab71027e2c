// The script of the docs site: search, color scheme, copy buttons, and the forms that send a request. The site works without it.

const root = document.documentElement.dataset.root ?? './';
const MAX_FOUND = 12;

startTheme();
startSearch();
startCopyButtons();
startForms();
startSideNavigation();

/** Follows the system until somebody chooses. */
function startTheme() {
  const button = document.getElementById('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const page = document.documentElement;
  const isDark = () => (page.dataset.theme ? page.dataset.theme === 'dark' : system.matches);
  const label = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to the ${isDark() ? 'light' : 'dark'} color scheme`);
  };
  const stored = localStorage.getItem('theme');
  if (stored) page.dataset.theme = stored;
  label();
  button.hidden = false;
  system.addEventListener('change', label);
  button.addEventListener('click', () => {
    page.dataset.theme = isDark() ? 'light' : 'dark';
    localStorage.setItem('theme', page.dataset.theme);
    label();
  });
}

function startSearch() {
  const input = document.getElementById('search');
  const list = document.getElementById('found');
  const count = document.getElementById('count');
  let entries = null;
  input.disabled = false;
  const load = async () => {
    entries ??= fetch(`${root}docs/search.json`).then((response) => (response.ok ? response.json() : []));
    return entries;
  };
  const find = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : rank(await load(), words).slice(0, MAX_FOUND);
    list.replaceChildren(...found.map(item));
    list.hidden = words.length === 0;
    if (words.length > 0 && found.length === 0)
      list.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }));
    count.textContent = words.length === 0 ? '' : `${found.length} found`;
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', find);
  const links = () => [...list.querySelectorAll('a')];
  const move = (event, step) => {
    const all = links();
    const next = all.indexOf(document.activeElement) + step;
    event.preventDefault();
    (next < 0 ? input : all[Math.min(next, all.length - 1)])?.focus();
  };
  const onKey = (event) => {
    if (event.key === 'ArrowDown') move(event, 1);
    if (event.key === 'ArrowUp') move(event, -1);
    if (event.key === 'Enter' && event.target === input) links()[0]?.click();
    if (event.key === 'Escape') {
      input.value = '';
      find();
      input.focus();
    }
  };
  input.addEventListener('keydown', onKey);
  list.addEventListener('keydown', onKey);
  list.addEventListener('click', () => {
    list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

/** Every word must occur. A title counts more than the text, the beginning of a title most. */
function rank(entries, words) {
  const scoreOf = ({ title, page, text }) => {
    const [head, parent, body] = [title.toLowerCase(), page.toLowerCase(), text.toLowerCase()];
    let score = 0;
    for (const word of words) {
      if (head.startsWith(word)) score += 8;
      else if (head.includes(word)) score += 5;
      else if (parent.includes(word)) score += 3;
      else if (body.includes(word)) score += 1;
      else return 0;
    }
    return score;
  };
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

function item({ page, title, url }) {
  const link = Object.assign(document.createElement('a'), { href: root + url, textContent: title });
  const small = Object.assign(document.createElement('span'), { className: 'faint', textContent: page });
  link.append(' ', small);
  const row = document.createElement('li');
  row.append(link);
  return row;
}

function startCopyButtons() {
  if (!navigator.clipboard) return; // not on plain http
  for (const block of document.querySelectorAll('main pre:has(code)')) {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'copy',
      textContent: 'Copy',
    });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    block.append(button);
  }
}

/** The key stays in this tab. */
function startForms() {
  for (const details of document.querySelectorAll('details.try')) {
    const form = details.querySelector('form');
    details.hidden = false;
    details.addEventListener('toggle', () => addKeyField(form), { once: true });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      send(details, form);
    });
  }
}

function addKeyField(form) {
  const id = `key-${form.querySelector('input, textarea, button').id}`;
  const label = Object.assign(document.createElement('label'), { htmlFor: id, textContent: 'API key or token' });
  const input = Object.assign(document.createElement('input'), {
    id,
    type: 'password',
    autocomplete: 'off',
    value: sessionStorage.getItem('key') ?? '',
  });
  input.dataset.in = 'key';
  form.prepend(label, input);
}

async function send({ dataset: { method, path } }, form) {
  const output = form.parentElement.querySelector('pre');
  const headers = {};
  const query = new URLSearchParams();
  let target = path;
  let body;
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'key') {
      sessionStorage.setItem('key', value);
      headers.authorization = `Bearer ${value}`;
    }
    if (dataset.in === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    if (dataset.in === 'query') query.set(name, value);
    if (dataset.in === 'header') headers[name] = value;
    if (dataset.in === 'body') body = value;
  }
  if (body !== undefined) headers['content-type'] = 'application/json';
  output.hidden = false;
  output.textContent = 'Sending…';
  try {
    const startedAt = performance.now();
    const response = await fetch(`${root}${target.slice(1)}${query.size > 0 ? `?${query}` : ''}`, {
      method,
      headers,
      body,
    });
    const text = await response.text();
    output.textContent = `${response.status} ${response.statusText} · ${Math.round(performance.now() - startedAt)} ms\n\n${pretty(text)}`;
  } catch {
    output.textContent = 'The service did not answer. Check that it is running, then send again.';
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** On a phone, the list of pages is closed until it is needed. */
function startSideNavigation() {
  const side = document.querySelector('.side');
  const isNarrow = matchMedia('(max-width: 820px)');
  const apply = () => {
    side.open = !isNarrow.matches;
  };
  apply();
  isNarrow.addEventListener('change', apply);
}
