/** The pages of the purposes: what the areas offer to people who came for one thing, on one screen. */

import { contentOf } from '#http/caching/content.js';
import type { Request } from '#http/exchange.js';
import { endpoint } from '#kit/endpoint.js';
import { baseMark, type PurposeEntry, purposePath, purposes } from '#kit/front/purposes.js';
import type { Infrastructure } from '#kit/infrastructure.js';
import { type Html, html } from '#kit/pages/html.js';
import { fillShell, pathToRoot, sendPage } from '#kit/pages/send-page.js';
import { ownEntries } from './own-entries.js';

export const startRoutes: Infrastructure = {
  name: 'start',
  title: 'Purposes',
  summary: 'Pages for each thing that people come for.',
  front: { start: purposePath('tutorial') },
  endpoints: ({ areas }) => {
    const offered: readonly PurposeEntry[] = areas.flatMap(({ front }) => front.purposes ?? []);
    const entries = [...offered, ...ownEntries];
    return purposes.map((purpose) =>
      endpoint('GET', purposePath(purpose.name), {
        hide: true,
        async handle(request, reply) {
          const own = entries.filter((each) => each.purpose === purpose.name);
          const page = await renderPurpose(request, purpose, own);
          const content = contentOf(Buffer.from(page), 'text/html; charset=utf-8');
          return sendPage(request, reply, 'start', content);
        },
      }),
    );
  },
};

async function renderPurpose(
  request: Request,
  { name, title, says }: (typeof purposes)[number],
  entries: readonly PurposeEntry[],
): Promise<string> {
  const root = pathToRoot(request.url);
  const body = html`<h1>${title}</h1>
      <p class="lead">${says}</p>
      <ul class="entries">${entries.map((entry) => renderEntry(entry, root, request.baseUrl))}</ul>`;
  const page = await fillShell('start', root, {
    '<!-- title -->': title,
    '<!-- body -->': body.text,
  });
  const link = `href="${root}${purposePath(name).slice(1)}"`;
  return page.replace(link, `${link} aria-current="page"`);
}

/** The script puts the sandbox of the visitor into the base URLs. */
function renderEntry(
  { title, says, base, line, links }: PurposeEntry,
  root: string,
  baseUrl: string,
): Html {
  const filled = (text: string) => text.replaceAll(baseMark, baseUrl);
  return html`
        <li>
          <h2>${title}</h2>
          <p>${says}</p>
          ${base !== undefined && html`<p class="base"><span>Base URL <code data-line="${baseMark}${base}">${filled(baseMark + base)}</code></span><button type="button" class="needs-js copy" aria-label="Copy the base URL: ${title}">Copy</button></p>`}
          ${line !== undefined && html`<p class="line"><code tabindex="0" data-line="${line}">${filled(line)}</code><button type="button" class="needs-js copy" aria-label="Copy: ${title}">Copy</button></p>`}
          <p class="links">${links.map(([text, path]) => html`<a href="${root}${path.slice(1)}">${text}</a> `)}</p>
        </li>`;
}
