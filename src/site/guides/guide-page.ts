/** Renders a guide as a page: the built shell, with the guide and the navigation. */

import { type Content, passingContent } from '#http/caching/content.js';
import type { Area } from '#kit/area.js';
import { html } from '#kit/pages/html.js';
import { readGuideFile } from '#kit/pages/page-files.js';
import { fillShell, linkToRoot } from '#kit/pages/send-page.js';
import { fillInBaseUrl, fillInCredentials, type Replacement } from './fill-in.js';
import { frontName, type Guide, guidePath } from './guides.js';

/**
 * Returns a guide as Markdown or, with `root`, the relative path to the root of the service, as a
 * page.
 */
export type GuideContents = (guide: Guide, baseUrl: string, root?: string) => Promise<Content>;

export function guideContents(
  areas: readonly Area[],
  replacements: readonly Replacement[],
): GuideContents {
  // Callers can invent hosts, so only pages of the latest base URL are kept.
  const latest = new Map<string, { readonly baseUrl: string; readonly content: Content }>();
  return async (guide, baseUrl, root) => {
    const key = `${root} ${guide.name}`;
    const known = latest.get(key);
    if (known?.baseUrl === baseUrl) return known.content;
    const text =
      root === undefined
        ? await readText(`${guide.name}.md`)
        : linkToRoot(await renderGuide(guide, areas), root);
    const filled = fillInCredentials(fillInBaseUrl(text, baseUrl), replacements);
    const type = root === undefined ? 'text/markdown' : 'text/html';
    const content = passingContent(Buffer.from(filled), `${type}; charset=utf-8`);
    latest.set(key, { baseUrl, content });
    return content;
  };
}

async function readText(name: string): Promise<string> {
  return (await readGuideFile(name)).toString('utf8');
}

/** Renders with links as from a folder of the root. */
async function renderGuide(guide: Guide, areas: readonly Area[]): Promise<string> {
  const { name, title, lead, contents } = guide;
  const alternate = html`<link rel="alternate" type="text/markdown" href="..${guidePath(name)}.md">`;
  return fillShell('guides', '../', {
    '<title>Guides</title>': html`<title>${title} · Practice API guides</title>`.text,
    'content="Guides"': html`content="${lead}"`.text,
    '</head>': `  ${alternate.text}\n  </head>`,
    '<!-- navigation -->': markPlace(await readText('navigation.html'), guide),
    '<!-- head -->': renderHead(guide, areas),
    '<!-- guide -->': await readText(`${name}.html`),
    '<!-- contents -->': contents,
  });
}

/** Marks the link to the current page, and opens the groups around it. */
function markPlace(navigation: string, { name, groups }: Guide): string {
  const link = `href="..${guidePath(name)}"`;
  const opened = groups.reduce(
    (text, group) => text.replace(`data-group="${group}"`, 'open'),
    navigation.replaceAll(link, `${link} aria-current="page"`),
  );
  return opened.replaceAll(/ data-group="[^"]*"/g, '');
}

function renderHead({ name, title, exercises }: Guide, areas: readonly Area[]): string {
  // A page in a folder belongs to the areas of the page with the folder's name.
  const taught = areas.filter(
    ({ guide }) =>
      guide !== undefined && name !== frontName && (name === guide || name.startsWith(`${guide}/`)),
  );
  return html`
    <header class="head" data-guide="${name}" data-exercises="${exercises}">
      <h1 id="guide-title">${title}</h1>
      <p class="links">
        ${taught.map((area) => html`<a href="../docs#/${area.name}">${area.title} in the reference</a> `)}
        <a href="..${guidePath(name)}.md" type="text/markdown">Markdown</a>
      </p>
    </header>`.text;
}
