/** The documented responses of an operation, each folded. */

import { element } from '../shared/element.js';
import { colourJson } from '../shared/response-view.js';
import {
  type DescribedResponse,
  type Description,
  type ListedOperation,
  resolved,
} from './description.js';
import { withCode } from './inline-code.js';
import { schemaView } from './schema-view.js';

export function documentedResponses(
  description: Description,
  { responses = {} }: ListedOperation,
): HTMLElement {
  const rows = Object.entries(responses).map(([status, each]) =>
    rowOf(description, status, resolved(description, each) ?? {}),
  );
  return element('section', { class: 'documented' }, element('h3', {}, 'Responses'), ...rows);
}

function rowOf(description: Description, status: string, response: DescribedResponse): HTMLElement {
  const { content = {}, headers = {}, description: text = '' } = response;
  const [[type, media] = []] = Object.entries(content);
  const names = Object.keys(headers);
  const example = media?.example;
  const shown =
    typeof example === 'string' ? [example] : colourJson(JSON.stringify(example, null, 2) ?? '');
  const parts = [
    ...(names.length > 0
      ? [element('p', {}, 'Headers: ', ...withCode(names.map((name) => `\`${name}\``).join(', ')))]
      : []),
    ...(example === undefined
      ? []
      : [
          element(
            'pre',
            { tabindex: 0, role: 'group', 'aria-label': `Example of ${status}` },
            element('code', {}, ...shown),
          ),
        ]),
    ...schemaView(description, media?.schema),
  ];
  const kind = element('b', { class: `status s${status[0]}` }, status);
  const line = [kind, ' ', ...withCode(text), ...(type ? [' ', element('small', {}, type)] : [])];
  if (parts.length === 0) return element('p', { class: 'documented-line' }, ...line);
  return element('details', {}, element('summary', {}, ...line), ...parts);
}
