/** Renders the operations of an area for the static site, which has no service to send requests to. */

import { type Description, type ListedOperation, operationsOf } from '../docs/description.js';
import { documentedResponses } from '../docs/documented-responses.js';
import { type BodyForm, type Field, formOf } from '../docs/form/form-of.js';
import { withCode } from '../docs/inline-code.js';
import { schemaView } from '../docs/schema-view.js';
import { element } from '../shared/element.js';

/** Parameters of every operation are documented once, in the guides. */
const isOwn = ({ group }: Field) => group !== 'common';

/** Returns the HTML of each operation, by the area and in the order of the description. */
export function renderOperations(
  description: Description,
): readonly { readonly area: string; readonly html: string }[] {
  return operationsOf(description).map((operation) => ({
    area: operation.tags[0] ?? '',
    html: String(operationView(description, operation)),
  }));
}

function operationView(description: Description, operation: ListedOperation): Node {
  const { operationId, path, summary, description: text, externalDocs: guide } = operation;
  const form = formOf(description, operation);
  const fields = form.fields.filter(isOwn);
  return element(
    'section',
    { id: operationId, class: 'static-operation', 'aria-labelledby': `${operationId}-title` },
    element('h2', { id: `${operationId}-title` }, summary),
    element(
      'p',
      { class: 'static-line' },
      element('b', { class: `verb ${operation.method}` }, form.methods.join(', ')),
      ' ',
      element('code', {}, path),
      ' ',
      element('a', { href: '/docs', class: 'send' }, 'Send'),
      ...(guide === undefined ? [] : [' ', element('a', { href: guide.url }, 'Guide')]),
    ),
    ...(form.firstStep ? [element('p', { class: 'step' }, ...withCode(form.firstStep))] : []),
    ...(text ? [element('p', {}, ...withCode(text))] : []),
    ...(fields.length > 0 ? [element('h3', {}, 'Parameters'), fieldList(fields)] : []),
    ...form.bodies.flatMap((body) => bodyView(description, body)),
    documentedResponses(description, operation),
  );
}

function fieldList(fields: readonly Field[]): HTMLElement {
  return element('ul', { class: 'schema' }, ...fields.map(fieldView));
}

function fieldView({ name, place, isRequired, type, description }: Field): HTMLElement {
  const kind = [isRequired ? 'required' : '', place === 'form' ? '' : place, type];
  return element(
    'li',
    {},
    element('code', {}, name),
    element('small', {}, ` ${kind.filter(Boolean).join(' · ')}`),
    ...(description === ''
      ? []
      : [element('span', { class: 'says' }, ...withCode(` ${description}`))]),
  );
}

function bodyView(description: Description, { type, fields, text, schema }: BodyForm) {
  return [
    element('h3', {}, 'Body ', element('small', {}, type)),
    ...(fields === undefined ? [] : [fieldList(fields)]),
    ...(text === ''
      ? []
      : [
          element(
            'pre',
            { tabindex: 0, role: 'group', 'aria-label': 'Example of the body' },
            element('code', {}, text),
          ),
        ]),
    ...(fields === undefined ? schemaView(description, schema) : []),
  ];
}
