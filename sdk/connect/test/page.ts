// The page of a web app, for the browser test: a plain button and a React one. Outcomes are written into the page.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { type ConnectOutcome, connectButton, readOutcome } from '../src/index.ts';
import { ConnectButton } from '../src/react.ts';

const output = document.querySelector('output');
const write = (outcome: ConnectOutcome | null) => {
  if (output !== null && outcome !== null) output.textContent += `${JSON.stringify(outcome)}\n`;
};
const getLink = async (): Promise<string> => {
  const answer = await fetch('/link', { method: 'POST' });
  if (!answer.ok) throw new Error('no link');
  return answer.text();
};
const onError = (error: unknown) => {
  if (output !== null) output.textContent += `${String(error)}\n`;
};

const button = document.querySelector<HTMLButtonElement>('#plain');
if (button !== null) connectButton(button, { authUrl: getLink, onOutcome: write, onError, language: 'nl' });
const root = document.querySelector('#react');
if (root !== null)
  createRoot(root).render(
    createElement(ConnectButton, { authUrl: getLink, onOutcome: write, onError }, 'Connect with React'),
  );
write(readOutcome(location.href));
