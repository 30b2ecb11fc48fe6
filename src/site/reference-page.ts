/**
 * Renders the API reference: an outline of all operations as links, which works without scripts.
 */

import { type Content, contentOf } from '#http/caching/content.js';
import { groupAreas } from '#kit/front/area-groups.js';
import { html } from '#kit/pages/html.js';
import { fillShell } from '#kit/pages/send-page.js';
import type { RouteCatalogue } from '#kit/route-catalogue.js';

/** Makes the page for a path; `root` is the relative path to the root of the service. */
export function referencePage(catalogue: RouteCatalogue): (root: string) => Promise<Content> {
  // A path occurs only with and without a slash at the end.
  const contents = new Map<string, Content>();
  return async (root) => {
    const known = contents.get(root);
    if (known !== undefined) return known;
    await catalogue.complete();
    const page = await fillShell('docs', root, outlineOf(catalogue));
    const content = contentOf(Buffer.from(page), 'text/html; charset=utf-8');
    contents.set(root, content);
    return content;
  };
}

/** In groups, and at last the paths about the service itself. */
function outlineOf(catalogue: RouteCatalogue): Readonly<Record<string, string>> {
  const operations = catalogue.operations();
  const all = [...new Set(catalogue.routes.map(({ area }) => area))];
  const own = all.filter(({ isInfrastructure }) => isInfrastructure).map(({ area }) => area);
  const offered = all.filter(({ isInfrastructure }) => !isInfrastructure).map(({ area }) => area);
  const groups = [
    ...groupAreas(offered),
    { name: 'service', title: 'The service itself', members: own },
  ].map(({ title, members }) => ({
    title,
    sections: members.map((area) => ({
      ...area,
      listed: operations.filter((each) => each.area === area.name),
    })),
  }));
  const rail = html`
      ${groups.map(
        ({ title, sections }) => html`
      <p class="rail-group">${title}</p>
      <ol>
        ${sections.map(
          ({ name, title, listed: { length } }) =>
            html`<li><a href="#/${name}">${title} <span class="count">${length}</span></a></li>`,
        )}
      </ol>`,
      )}`;
  const outline = html`
      ${groups.map(
        ({ title, sections }) => html`
        <h2 class="outline-group">${title}</h2>
        ${sections.map(
          ({ name, title, summary, listed }) => html`
          <details class="area" data-area="${name}">
            <summary><h3>${title}</h3> <span>${summary}</span></summary>
            <ul>${listed.map(
              ({ operationId, method, path, summary: does }) =>
                html`<li><a class="row" href="#/${name}/${operationId}" aria-expanded="false" data-verb="${method}" data-path="${path}"><b class="verb ${method.toLowerCase()}">${method}</b> <code>${path}</code> <span>${does}</span></a></li>`,
            )}</ul>
          </details>`,
        )}`,
      )}`;
  return { '<!-- rail -->': rail.text, '<!-- outline -->': outline.text };
}
