// The style of hosted pages: one card, for phones first, in light and dark mode. An account can set the accent color.
import { makeReadable, textColorOn } from '../../domain/branding/colors.ts';

const LIGHT_PAPER = '#ffffff';
const DARK_PAPER = '#18242d';

export const PAGE_STYLE = `
:root { --ink: #14222e; --muted: #51626f; --paper: ${LIGHT_PAPER}; --ground: #eef3f6; --line: #d5dfe6; --fill: #0b6a8f; --on-fill: #fff; --accent: #0b6a8f;
  --good: #12694a; --good-ground: #dff3ea; --bad: #a4262c; --bad-ground: #fbe6e6; --late: #7a4d00; --late-ground: #fdf0d5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eff4; --muted: #a3b4c0; --paper: ${DARK_PAPER}; --ground: #0e171e; --line: #2f404d; --fill: #5cc0e4; --on-fill: #06202c; --accent: #5cc0e4;
    --good: #7fdcb5; --good-ground: #12382b; --bad: #ff9a94; --bad-ground: #43201f; --late: #f0c674; --late-ground: #3d2f12; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 29rem; margin: 0 auto; padding: 1.25rem 1.25rem 0; }
footer { max-width: 29rem; margin: 0 auto; padding: 0.75rem 1.25rem 1.5rem; color: var(--muted); font-size: 0.8125rem; }
footer nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
footer a { color: inherit; display: inline-block; padding: 0.25rem 0; }
@media (min-width: 34rem) {
  body { background: var(--ground); padding-top: clamp(0.5rem, 6vh, 4rem); }
  main { padding: 1.75rem 2rem 0.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--paper); box-shadow: 0 1px 2px #0001, 0 8px 24px #0000000d; }
  footer { padding: 0.75rem 2rem 1.5rem; }
}
h1 { margin: 0 0 0.5rem; font-size: 1.375rem; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h2 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
p, ul, dl { margin: 0 0 0.75rem; }
ul { padding-left: 1.25rem; }
small, .muted { color: var(--muted); }
.muted { font-size: 0.875rem; }
.quoted { margin: 0 0 0.75rem; padding-left: 0.75rem; border-left: 3px solid var(--line); white-space: pre-line; }
.bad { color: var(--bad); }
.brand { display: flex; align-items: center; gap: 0.625rem; margin: 0 0 1.25rem; font-weight: 600; }
.brand img, .brand .mark { width: 2.25rem; height: 2.25rem; border-radius: 0.5rem; font-size: 1rem; }
.brand img { object-fit: contain; }
.pair { display: flex; align-items: center; margin: 0 0 1rem; }
.pair img, .mark { flex: none; width: 3.25rem; height: 3.25rem; border-radius: 0.875rem; object-fit: contain; }
.pair .own { padding: 0.25rem; border: 1px solid var(--line); background: #fff; }
.mark { display: grid; place-items: center; background: var(--fill); color: var(--on-fill); font-size: 1.375rem; font-weight: 600; }
.link { flex: 0 0 1.75rem; border-top: 2px dashed var(--line); }
.names { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.outcome { display: grid; place-items: center; width: 3.5rem; height: 3.5rem; margin: 0 0 1rem; border-radius: 50%; }
.outcome svg { width: 1.75rem; height: 1.75rem; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.success { background: var(--good-ground); color: var(--good); }
.failure { background: var(--bad-ground); color: var(--bad); }
.expired { background: var(--late-ground); color: var(--late); }
.shared { list-style: none; margin: 0 0 0.5rem; padding: 0; }
.shared li { position: relative; padding: 0.1875rem 0 0.1875rem 1.75rem; }
.shared li::before { content: ""; position: absolute; left: 0.25rem; top: 0.5625rem; width: 0.75rem; height: 0.4375rem; border: solid var(--accent); border-width: 0 0 2px 2px; transform: rotate(-45deg); }
details { margin: 0 0 0.5rem; color: var(--muted); font-size: 0.9375rem; }
details p { margin: 0.25rem 0 0.5rem; }
summary { cursor: pointer; padding: 0.25rem 0; }
.note { margin: 0 0 0.75rem; padding: 0.5rem 0.75rem; border-radius: 0.625rem; background: var(--late-ground); color: var(--late); font-size: 0.875rem; }
.status { padding: 0.625rem 0.875rem; border-radius: 0.625rem; background: var(--good-ground); color: var(--good); font-weight: 600; }
section { margin: 0 0 1rem; padding: 0 0 0.5rem; border-bottom: 1px solid var(--line); }
form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.625rem; margin: 1rem 0 0.75rem; }
.actions { position: sticky; bottom: 0; margin: 0.5rem -1.25rem 0; padding: 0.75rem 1.25rem; border-top: 1px solid var(--line); background: var(--paper); }
@media (min-width: 34rem) { .actions { margin: 0.5rem -2rem -0.5rem; padding: 0.875rem 2rem 1.25rem; border-radius: 0 0 1rem 1rem; } }
.pick { gap: 0.5rem; }
.pick button { display: flex; align-items: center; gap: 0.875rem; min-height: 3.5rem; padding: 0.5rem 0.875rem; border-color: var(--line); color: var(--ink); text-align: left; }
.pick button::after { content: ""; width: 0.5rem; height: 0.5rem; margin-left: auto; border: solid var(--muted); border-width: 2px 2px 0 0; transform: rotate(45deg); }
.pick img { width: 2.25rem; height: 2.25rem; border-radius: 0.625rem; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; overflow-wrap: anywhere; }
label:has(> input[type="checkbox"]) { display: flex; gap: 0.5rem; align-items: baseline; font-size: 0.9375rem; }
input, select { max-width: 100%; font: inherit; color: inherit; padding: 0.625rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--ground); }
button, .button { display: block; width: 100%; min-height: 3rem; padding: 0.6875rem 1rem; border: 1px solid var(--accent); border-radius: 0.75rem; background: transparent;
  color: var(--accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--ground); }
button.first, .button.first { border-color: var(--fill); background: var(--fill); color: var(--on-fill); }
button.first:hover, .button.first:hover { filter: brightness(1.08); }
button.danger { border-color: var(--bad); color: var(--bad); }
button.plain { border-color: transparent; }
button:focus-visible, a:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
@media (max-height: 44rem) { .pair { margin-bottom: 0.75rem; } h2 { margin-top: 0.75rem; } }
`;

/** Links and outlines need another shade than filled buttons to be readable, and other shades in dark mode. */
export function accentStyle(color: string): string {
  const fill = `--fill: ${color}; --on-fill: ${textColorOn(color)};`;
  return `:root { ${fill} --accent: ${makeReadable(color, LIGHT_PAPER)}; }
@media (prefers-color-scheme: dark) { :root { ${fill} --accent: ${makeReadable(color, DARK_PAPER)}; } }
`;
}
