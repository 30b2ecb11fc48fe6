/** Renders the areas of the front page, grouped by what people come for. */

import type { Area, LiveExample } from '#kit/area.js';
import { groupAreas } from '#kit/front/area-groups.js';
import { type Html, html } from '#kit/pages/html.js';
import { highlightCode } from '../highlight-code.js';
import { renderArea, renderCredentials } from './render-area.js';
import { type PagePlace, renderCode } from './render-hero.js';

export function renderGroups(place: PagePlace, countOf: (area: Area) => number): Html {
  const { areas, config } = place;
  return html`
      ${groupAreas(areas).map(({ name, title, says, members }) => {
        const [live] = members.flatMap(({ front }) => front.live ?? []);
        return html`
      <section class="group" aria-labelledby="group-${name}">
        <header><h2 id="group-${name}">${title}</h2><p>${says}</p></header>
        ${live && renderLive(live, title)}
        <div class="areas">
          ${members.map((area) => renderArea(area, countOf(area), place))}
          ${members.map(
            ({ front: { credentials, start } }) =>
              credentials && renderCredentials(credentials(config), start),
          )}
        </div>
      </section>`;
      })}`;
}

/** The script sends it, and shows the response in place of the lines. */
function renderLive(
  { method, path, shows: [status = '', ...lines] }: LiveExample,
  title: string,
): Html {
  const [, version, text = ''] = /^(\S+) (.*)$/.exec(status) ?? [];
  const end = lines.indexOf('') + 1 || lines.length;
  const [head, body] = [lines.slice(0, end), lines.slice(end)].map((part) => part.join('\n'));
  return html`
        <div class="live" data-method="${method}" data-path="${path}">
          <p class="bar"><code><b>${method}</b> ${path}</code><button type="button" class="try needs-js" aria-label="Send: ${title}">Send</button></p>
          <pre tabindex="0" role="group" aria-label="Response: ${title}"><code>${version} <b class="status s${text[0] ?? ''}">${text}</b>
${head}
${renderCode(highlightCode(body ?? '', 'json'))}</code></pre>
        </div>`;
}
