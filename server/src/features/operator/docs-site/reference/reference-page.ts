// The operations of one tag as a page: parameters, bodies in both forms side by side, a command, and a form that sends it. Pure.
import { type Html, html } from '../../../../platform/pages/html.ts';
import { type DocsPage, rootOf } from '../layout.ts';
import type { Navigation } from '../navigation.ts';
import { renderMarkdown } from '../render-markdown.ts';
import type { OpenApiParameter, Schema } from './openapi-types.ts';
import type { BodyShape, Operation, OperationGroup, Response } from './read-operations.ts';
import { describeType, schemaView } from './schema-view.ts';

export function referencePage(group: OperationGroup, navigation: Navigation): DocsPage {
  const path = `docs/reference/${group.name}`;
  const root = rootOf(path);
  return {
    title: group.title,
    path,
    navigation,
    content: html`<h1>${group.title}</h1>
${group.description === '' ? null : html`<div class="prose">${renderMarkdown(group.description, () => null)}</div>`}
<ul class="contents">${group.operations.map(
      (
        operation,
      ) => html`<li><a href="#${operation.id}">${operation.summary}</a> <code>${operation.method} ${operation.path}</code></li>
`,
    )}</ul>
${group.operations.map((operation) => operationView(operation, group, root))}`,
  };
}

function operationView(operation: Operation, group: OperationGroup, root: string): Html {
  const { id, method, path, summary, description, credentials, parameters, body, responses } = operation;
  return html`<section class="operation" aria-labelledby="${id}">
<h2 id="${id}">${summary}</h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${description === '' ? null : html`<div class="prose">${renderMarkdown(description, () => null)}</div>`}
<p class="faint">${credentials.length === 0 ? 'No credential.' : `Credential: ${credentials.join('; or ')}.`}</p>
<pre tabindex="0"><code>${commandOf(operation)}</code></pre>
${parameters.length === 0 ? null : parameterTable(parameters, group)}
${body.length === 0 ? null : html`<h3>Request body</h3>${shapesView(body, group)}`}
${responses.filter((response) => !isError(response)).map((response) => responseView(response, group))}
${errorsView(responses.filter(isError), root)}
${tryForm(operation)}
</section>
`;
}

function parameterTable(parameters: readonly OpenApiParameter[], group: OperationGroup): Html {
  return html`<h3>Parameters</h3>
<div class="table" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${parameters.map(
    (
      parameter,
    ) => html`<tr><td><code>${parameter.name}</code></td><td>${parameter.in}${parameter.required ? ', required' : null}</td>
<td>${describeType(parameter.schema ?? {}, group.schemas)}</td><td>${describeParameter(parameter)}</td></tr>
`,
  )}</tbody></table></div>`;
}

/** The form ends in a period, a description does not: "Form 1. 1 to 100", "units of the values; default metric". */
function describeParameter({ description, schema }: OpenApiParameter): string {
  return [description, describeLimits(schema)].filter(Boolean).join('; ').replace('.; ', '. ');
}

/** 1 to 100, default 20 */
function describeLimits({ minimum, maximum, default: preset }: Schema = {}): string {
  const range = maximum === undefined ? minimum && `at least ${minimum}` : `${minimum ?? 0} to ${maximum}`;
  return [range, preset !== undefined && `default ${preset}`].filter(Boolean).join(', ');
}

function responseView({ status, description, shapes }: Response, group: OperationGroup): Html {
  return html`<h3><strong>${status}</strong> ${description}</h3>${shapesView(shapes, group)}`;
}

function isError({ status }: Response): boolean {
  return Number(status) >= 400;
}

function errorsView(errors: readonly Response[], root: string): Html | null {
  if (errors.length === 0) return null;
  return html`<details class="errors"><summary>Errors: ${errors.map(({ status }) => status).join(', ')}</summary>
<ul>${errors.map(({ status, description }) => html`<li><strong>${status}</strong> ${description}</li>\n`)}</ul>
<p><a href="${root}docs/errors">All error codes</a></p></details>`;
}

/** Both forms side by side, each with its example and its fields. */
function shapesView(shapes: readonly BodyShape[], group: OperationGroup): Html {
  return html`<div class="shapes">${shapes.map(
    ({ form, schema, example }) => html`<div class="shape">${form === null ? null : html`<h4>${form}</h4>`}
${example === undefined ? null : html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`}
<details><summary>Fields</summary>${schemaView(schema, group.schemas) ?? html`<p>${describeType(schema, group.schemas)}</p>`}</details></div>
`,
  )}</div>`;
}

/** Shown by the script of the site; without it there is nothing to send. */
function tryForm({ id, method, path, parameters, body }: Operation): Html {
  return html`<details class="try" hidden data-method="${method}" data-path="${path}"><summary>Try it</summary>
<form>${parameters.map(
    ({
      name,
      in: where,
      required,
    }) => html`<label for="${id}-${name}">${name} <span class="faint">${where}</span></label>
<input id="${id}-${name}" name="${name}" data-in="${where}" autocomplete="off"${required ? html` required` : null}>
`,
  )}${
    body.length === 0
      ? null
      : html`<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" data-in="body" rows="6" spellcheck="false">${exampleText(body)}</textarea>`
  }<button type="submit">Send</button></form>
<pre tabindex="0" role="status" hidden></pre></details>`;
}

function exampleText(body: readonly BodyShape[]): string {
  const example = body.findLast((shape) => shape.example !== undefined)?.example;
  return example === undefined ? '' : JSON.stringify(example, null, 2);
}

const FORM_HEADER = 'Api-Form';

/** For the variables TRIBUTARY_URL, TRIBUTARY_API_KEY and USER_ID of a shell. */
function commandOf({ method, path, parameters, credentials, body }: Operation): string {
  const url = path.replace(/\{(\w+)\}/g, (_match, name: string) => `$${name.toUpperCase()}`);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=…`)
    .join('&');
  const example = body.findLast((shape) => shape.example !== undefined)?.example;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$TRIBUTARY_URL${url}${query === '' ? '' : `?${query}`}"`,
    ...(credentials.length === 0 ? [] : ['-H "Authorization: Bearer $TRIBUTARY_API_KEY"']),
    ...(parameters.some(({ name }) => name === FORM_HEADER) ? [`-H "${FORM_HEADER}: 2"`] : []),
    ...(body.length === 0
      ? []
      : ['-H "Content-Type: application/json"', `-d '${example === undefined ? '{…}' : JSON.stringify(example)}'`]),
  ];
  return lines.join(' \\\n  ');
}
