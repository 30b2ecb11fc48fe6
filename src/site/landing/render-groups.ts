/** Renders the areas of the front page, grouped by what people come for. */

import type { Area, AreaGroup, LiveExample } from '#kit/area.js';
import { type Html, html } from '#kit/pages/html.js';
import { highlightCode } from '../highlight-code.js';
import { renderArea, renderCredentials } from './render-area.js';
import { type PagePlace, renderCode } from './render-hero.js';

interface Group {
  readonly name: AreaGroup;
  readonly title: string;
  readonly says: string;
}

const groups: readonly Group[] = [
  {
    name: 'http',
    title: 'Learn HTTP',
    says: 'Methods, statuses, caching, cookies, redirects, TLS: see what goes over the wire.',
  },
  {
    name: 'data',
    title: 'REST and data',
    says: 'Thirteen datasets, or your own JSON: read, filter, page and write.',
  },
  {
    name: 'login',
    title: 'Log in',
    says: 'Every authentication scheme, and a complete OpenID Connect issuer.',
  },
  {
    name: 'protocols',
    title: 'GraphQL, SOAP, RPC',
    says: 'The same data by other protocols, with their own errors.',
  },
  {
    name: 'events',
    title: 'Webhooks and real time',
    says: 'Catch requests, verify signatures, follow streams and sockets.',
  },
  {
    name: 'failures',
    title: 'Failures and limits',
    says: 'Make anything slow or fail, move the clock, hit a limit: in your own sandbox.',
  },
  {
    name: 'learning',
    title: 'Solve and teach',
    says: 'Challenges that your requests solve, and bugs to find.',
  },
  {
    name: 'ai',
    title: 'AI clients',
    says: 'A server of the Model Context Protocol that judges your client, and misbehaves on request.',
  },
];

/** An area without a group is in the last. */
export function renderGroups(place: PagePlace, countOf: (area: Area) => number): Html {
  const { areas, config } = place;
  const known = new Set(groups.map(({ name }) => name));
  const present = groups.filter(({ name }) => areas.some(({ front }) => front.group === name));
  const last = present.at(-1);
  return html`
      ${present.map((group) => {
        const { name, title, says } = group;
        const members = areas.filter(({ front: { group: own } }) =>
          own !== undefined && known.has(own) ? own === name : group === last,
        );
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
