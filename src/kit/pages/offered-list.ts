/** Renders a list of what a part of the service offers, which opens on click. */

import { type Html, html } from './html.js';

export interface Offered {
  readonly name: string;
  readonly says: string;
  /** Such as `needs mcp:write`. */
  readonly note?: string | false | undefined;
}

/** `id` is also the fragment of its URL. */
export function renderOffered(id: string, title: string, offered: readonly Offered[]): Html {
  return html`<details id="${id}">
      <summary><h3>${title}</h3> <span class="count">${offered.length}</span></summary>
      <dl>${offered.map(
        ({ name, says, note }) =>
          html`<div><dt><code>${name}</code></dt><dd>${says}${note && html` <small>${note}</small>`}</dd></div>`,
      )}</dl>
    </details>`;
}
