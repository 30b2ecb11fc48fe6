/**
 * The outline of the API reference: every area with its operations, as links that the viewer follows too. It is what
 * is read until the viewer is there, and all that is read without scripts.
 */

import type { OperationSummary } from '../../kit/route-catalogue.js';
import { type Html, html } from '../html.js';

export interface ReferenceSection {
  /** The tag of the description. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly operations: readonly OperationSummary[];
}

export interface ReferenceParts {
  readonly rail: Html;
  readonly outline: Html;
}

export function renderReference(sections: readonly ReferenceSection[]): ReferenceParts {
  return {
    rail: html`
      <ol>
        ${sections.map(
          ({ name, title, operations: { length } }) =>
            html`<li><a href="#/${name}">${title} <span class="count">${length}</span></a></li>`,
        )}
      </ol>`,
    outline: html`
      ${sections.map(
        ({ name, title, summary, operations }) => html`
          <details class="area">
            <summary><h2>${title}</h2> <span>${summary}</span></summary>
            <ul>${operations.map((operation) => renderOperation(name, operation))}</ul>
          </details>`,
      )}`,
  };
}

function renderOperation(
  section: string,
  { operationId, method, path, summary }: OperationSummary,
): Html {
  return html`<li><a href="#/${section}/${operationId}"><b class="verb ${method.toLowerCase()}">${method}</b> <code>${path}</code></a> ${summary}</li>`;
}
