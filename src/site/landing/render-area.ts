/** Renders an area on the front page: its name, and folded below it, its examples. */

import { STATUS_CODES } from 'node:http';
import { callOf } from '#describe/snippets/call.js';
import { writeCurl } from '#describe/snippets/write-curl.js';
import type { Area, TestCredential } from '#kit/area.js';
import type { Example } from '#kit/example.js';
import { type Html, html } from '#kit/pages/html.js';
import { highlightCode } from '../highlight-code.js';
import { type PagePlace, renderCode, root } from './render-hero.js';

/**
 * The target of a link is inside the folded part, because browsers then open it without a script.
 * The script adds the endpoints and the other clients when it is first opened.
 */
export function renderArea(area: Area, count: number, place: PagePlace): Html {
  const { name, title, guide, summary, front } = area;
  const { page, examples } = front;
  const { config, baseUrl, isInside } = place;
  return html`
    <details class="area">
      <summary><h3>${title}</h3><span class="area-summary">${summary}</span><span class="count">${count}</span></summary>
      <section id="${name}" aria-label="${title}">
        <p class="more">${page !== undefined && html`<a href="${root}${page.path.slice(1)}">${title}: the page</a>`}
          ${guide && html`<a href="${root}guides/${guide}">${title}: the guide</a>`}
          <a href="${root}docs#/${name}">${title} in the reference</a></p>
        <div class="halves">
          <div class="examples">${(examples?.(config) ?? []).map((example, index) =>
            renderExample(
              isInside ? withoutSandbox(example) : example,
              `${name}-${index + 1}`,
              baseUrl,
            ),
          )}</div>
        </div>
      </section>
    </details>`;
}

export function renderCredentials(credentials: readonly TestCredential[], start: string): Html {
  return html`
    <details class="area">
      <summary><h3>Test credentials</h3><span class="area-summary">For every authentication scheme. They guard nothing: they are here to be used.</span><span class="count">${credentials.length}</span></summary>
      <section class="credentials" id="credentials" aria-label="Test credentials">
        <p>Programs get them from <code>${start}</code>.</p>
        <ul>
          ${credentials.map(
            ({ title, parts }) => html`<li><h4>${title}</h4>
            <dl>${parts.map(
              ({ name, value }) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`,
            )}</dl></li>`,
          )}
        </ul>
      </section>
    </details>`;
}

function renderExample(example: Example, id: string, baseUrl: string): Html {
  const { title, method, path, response, times = 1 } = example;
  const { title: _shown, ...request } = example;
  const named = response.headers ?? [];
  const curl = writeCurl(callOf(example, baseUrl));
  return html`
            <article class="example" id="${id}" aria-labelledby="${id}-title" data-example="${JSON.stringify(request)}">
              <h4 id="${id}-title">${title}</h4>
              <p class="line"><span class="verb ${method.toLowerCase()}">${method}</span><code>${path}</code>
                <span class="promise">${times > 1 && html`× ${times} `}<span aria-hidden="true">→</span> <b class="status s${String(response.status)[0]}">${response.status} ${STATUS_CODES[response.status]}</b>${named.length > 0 && html` with ${named.join(', ')}`}</span></p>
              <div class="code"><pre tabindex="0" data-client="curl"><code>${renderCode(highlightCode(curl, 'shell'))}</code></pre></div>
            </article>`;
}

/** Removes the sandbox, which is in the URL. */
function withoutSandbox(example: Example): Example {
  const { 'X-Sandbox': _named, ...headers } = example.headers ?? {};
  return { ...example, headers };
}
