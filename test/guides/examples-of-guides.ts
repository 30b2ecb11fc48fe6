/** The commands and attributes of the guides' pages, read as the page's own script does. */

import { readFileSync } from 'node:fs';
import type { Example } from '../../pages/guides/example.js';
import { pageLinks } from '../../scripts/guides/links.js';
import { renderPage } from '../../scripts/guides/render-page.js';
import { names } from './guide-names.js';

export interface GuideExample {
  readonly page: string;
  readonly command: string;
  readonly printed: string;
  readonly example: Example;
}

const call =
  /<div class="call" data-request="([^"]*)"><div class="command"><pre><code>(.*?)<\/code>.*?<\/p><\/div>(?:<pre class="printed"><code>(.*?)<\/code><\/pre>)?<\/div>/gs;

/** Every command whose request a browser can send. */
export function examplesOfGuides(): GuideExample[] {
  return names.flatMap((page) => {
    const file = new URL(`../../docs/${page}.md`, import.meta.url);
    const { html } = renderPage(readFileSync(file, 'utf8'), pageLinks(page));
    return [...html.matchAll(call)].map(([, request = '', command = '', printed = '']) => ({
      page,
      command: textOf(command),
      printed: textOf(printed),
      example: JSON.parse(textOf(request)) as Example,
    }));
  });
}

function textOf(html: string): string {
  const text = html.replaceAll(/<[^>]*>/g, '');
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
