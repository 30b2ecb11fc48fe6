/** A guide as a page: the shell that the build made, with the guide and the navigation of all in it. */

import { type Content, passingContent } from '../../http/caching/content.js';
import type { Area } from '../../kit/area.js';
import { html } from '../html.js';
import { readBuiltFile, readGuideFile } from '../page-files.js';
import { linkToRoot } from '../send-page.js';
import { fillInBaseUrl, fillInCredentials, type Replacement } from './fill-in.js';
import { frontName, type Guide, guidePath } from './guides.js';

export interface GuideForms {
  /** For browsers at an address from which `root` leads to the root of the service. */
  readonly page: (guide: Guide, root: string, baseUrl: string) => Promise<Content>;
  /** As it was written, with the addresses of this service. */
  readonly markdown: (guide: Guide, baseUrl: string) => Promise<Content>;
}

export function guideForms(
  areas: readonly Area[],
  replacements: readonly Replacement[],
): GuideForms {
  // Callers can make up hosts, so only what the latest base URL led to is kept.
  const latest = new Map<string, { readonly baseUrl: string; readonly content: Content }>();

  async function form(
    key: string,
    baseUrl: string,
    contentType: string,
    make: () => Promise<string>,
  ): Promise<Content> {
    const known = latest.get(key);
    if (known?.baseUrl === baseUrl) return known.content;
    const text = fillInCredentials(fillInBaseUrl(await make(), baseUrl), replacements);
    const content = passingContent(Buffer.from(text), contentType);
    latest.set(key, { baseUrl, content });
    return content;
  }

  return {
    page: (guide, root, baseUrl) =>
      form(`${root} ${guide.name}`, baseUrl, 'text/html; charset=utf-8', async () => {
        return linkToRoot(await renderGuide(guide, areas), root);
      }),
    markdown: (guide, baseUrl) =>
      form(guide.name, baseUrl, 'text/markdown; charset=utf-8', async () => {
        return (await readGuideFile(`${guide.name}.md`)).toString('utf8');
      }),
  };
}

/** With links as from a folder of the root. */
async function renderGuide(guide: Guide, areas: readonly Area[]): Promise<string> {
  const [shell, article, navigation] = await Promise.all(
    [
      readBuiltFile('guides/index.html'),
      readGuideFile(`${guide.name}.html`),
      readGuideFile('navigation.html'),
    ].map(async (file) => (await file).toString('utf8')),
  );
  const { name, title, lead, contents } = guide;
  const here = `..${guidePath(name)}`;
  const alternate = html`<link rel="alternate" type="text/markdown" href="${here}.md">`;
  const parts: Readonly<Record<string, string>> = {
    '<title>Guides</title>': html`<title>${title} · Practice API guides</title>`.text,
    'content="Guides"': html`content="${lead}"`.text,
    '</head>': `  ${alternate.text}\n  </head>`,
    '<!-- navigation -->': markPlace(navigation ?? '', guide),
    '<!-- head -->': renderHead(guide, areas),
    '<!-- guide -->': article ?? '',
    '<!-- contents -->': contents,
  };
  return Object.entries(parts).reduce(
    (page, [place, part]) => page.replace(place, () => part),
    shell ?? '',
  );
}

/** The link to the page that is read, and what is folded around it. */
function markPlace(navigation: string, { name, groups }: Guide): string {
  const opened = groups.reduce(
    (text, group) => text.replace(`data-group="${group}"`, 'open'),
    navigation.replaceAll(
      `href="..${guidePath(name)}"`,
      `href="..${guidePath(name)}" aria-current="page"`,
    ),
  );
  return opened.replaceAll(/ data-group="[^"]*"/g, '');
}

function renderHead({ name, title, exercises }: Guide, areas: readonly Area[]): string {
  const taught = areas.filter(({ guide }) => guide !== undefined && isAbout(name, guide));
  return html`
    <header class="head" data-guide="${name}" data-exercises="${exercises}">
      <h1 id="guide-title">${title}</h1>
      <p class="links">
        ${taught.map((area) => html`<a href="../docs#/${area.name}">${area.title} in the reference</a> `)}
        <a href="..${guidePath(name)}.md" type="text/markdown">Markdown</a>
      </p>
    </header>`.text;
}

/** A page of a folder is about what the page of that name is about. */
function isAbout(name: string, guide: string): boolean {
  return name !== frontName && (name === guide || name.startsWith(`${guide}/`));
}
