/** The body of the front page: every area with its endpoints, examples as code, and credentials. */

import { STATUS_CODES } from 'node:http';
import type { Config } from '../../config/settings.js';
import { packageVersion } from '../../package-version.js';
import type { Area, Preset, TestCredential } from '../../server/area.js';
import type { Example } from '../../server/example.js';
import type { OperationSummary } from '../../server/route-catalogue.js';
import { highlightCode } from '../highlight-code.js';
import { type Html, html } from '../html.js';
import { callOf } from '../snippets/call.js';
import { clients } from '../snippets/clients.js';
import { formatJson } from '../snippets/format-json.js';

export interface LandingParts {
  readonly areas: readonly Area[];
  readonly operations: readonly OperationSummary[];
  readonly config: Config;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The relative address of the root, from where the page is. */
  readonly root: string;
  /** Whether the base URL names the sandbox, so that examples do not. */
  readonly isInside: boolean;
}

export function renderLanding(parts: LandingParts): Html {
  const { areas, operations, config, baseUrl, root } = parts;
  const shown = areas.map((area) => ({
    area,
    operations: operations.filter((operation) => operation.area === area.name),
  }));
  const [first = homePreset, ...presets] = areas.flatMap(({ presets = [] }) => presets);
  const firstPath = first.path;
  const terms = config.accounts === 'required' ? 'a free account' : 'no account';
  const count = shown.reduce((sum, each) => sum + each.operations.length, 0);
  return html`
    <section class="hero" aria-labelledby="title">
      <div class="pitch">
        <p class="kicker">Version ${packageVersion} · ${terms} · nothing to set up</p>
        <h1 id="title">An API to practise on, <em>exact on the wire.</em></h1>
        <p class="lead">
          ${count} endpoints for what clients must get right: every HTTP verb and
          authentication scheme, GraphQL, REST, SOAP, webhooks, paging, limits, versions. A client
          that is wrong is told precisely why.
        </p>
        <p class="base">
          <span class="label" id="base-label">Base URL</span>
          <code id="base-url" aria-labelledby="base-label">${baseUrl}</code>
          <button type="button" class="needs-js copy" data-copy="base-url">Copy</button>
        </p>
        <ul class="ways">
          <li><a href="${root}guides"><b>Guides</b> Lessons, with examples to send</a></li>
          <li><a href="${root}docs"><b>API reference</b> Every endpoint, to try</a></li>
          ${areas.map(
            ({ page }) =>
              page?.way &&
              html`<li><a href="${root}${page.path.slice(1)}"><b>${page.way[0]}</b> ${page.way[1]}</a></li>`,
          )}
          ${areas.some(({ credentials }) => credentials) && html`<li><a href="#credentials"><b>Test credentials</b> For every scheme</a></li>`}
        </ul>
      </div>
      <form class="console" id="console" action="${root}${firstPath.slice(1).split('?')[0]}" aria-label="Send a request">
        <div class="request-line">
          <select id="console-verb" aria-label="Verb" class="needs-js">
            ${['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((verb) => html`<option>${verb}</option>`)}
          </select>
          <input id="console-path" aria-label="Path" value="${firstPath}" autocomplete="off" autocapitalize="off" spellcheck="false">
          <button type="submit" class="send">Send</button>
        </div>
        <div class="presets needs-js" id="presets">
          <span class="label">or try</span>
          ${presets.map(({ title, method, path }) => html`<button type="button" data-verb="${method}" data-path="${path}">${title}</button>`)}
        </div>
        <div class="wire" id="console-answer">
          <pre tabindex="0" aria-label="Request and answer"><code><b>${first.method}</b> ${firstPath} HTTP/1.1
<i class="h">Host:</i> ${new URL(baseUrl).host}
<i class="h">Accept:</i> */*

<span class="hint">Press Send: this service answers here.</span></code></pre>
        </div>
      </form>
    </section>

    <div class="columns">
      <nav class="rail" aria-label="Areas">
        <p class="filter needs-js">
          <label for="filter" class="unseen">Filter areas and endpoints</label>
          <input id="filter" type="search" placeholder="Filter endpoints" autocomplete="off" aria-keyshortcuts="/">
          <kbd aria-hidden="true">/</kbd>
        </p>
        <ol>
          ${shown.map(
            ({ area, operations: { length } }) =>
              html`<li><a href="#${area.name}">${area.title} <span class="count">${length}</span></a></li>`,
          )}
        </ol>
        <p class="unseen" id="filter-outcome" role="status"></p>
      </nav>
      <div class="areas">
        <p id="no-match" hidden>No endpoint has that in its path, verb or summary.</p>
        ${shown.map((each) => renderArea(each.area, each.operations, parts))}
      </div>
    </div>

    <section class="everywhere" aria-labelledby="everywhere">
      <h2 id="everywhere">What works everywhere</h2>
      <dl>
        <div><dt><code>X-Sandbox: any-name</code></dt><dd>Your own copy of all data, windows, bins and tokens. Nobody else’s writes get in your way.</dd></div>
        <div><dt><code>/s/any-name/…</code></dt><dd>The same before any path, where no header can be sent: an address bar, <code>EventSource</code>, a base URL in settings.</dd></div>
        <div><dt><code>?delay=2</code> <code>?error=503</code></dt><dd>Any endpoint is slow, or fails, when you ask for it.</dd></div>
        <div><dt><code>X-Request-Id: yours</code></dt><dd>Comes back on the answer, so that you find it again.</dd></div>
        <div><dt><code>405</code> and <code>Allow</code></dt><dd>Every path answers every verb: with what it does, or with what it takes.</dd></div>
        <div><dt><code>{status, error, message}</code></dt><dd>Errors are JSON of this shape, for malformed HTTP as for an unknown path.</dd></div>
        <div><dt><code>Origin: anywhere</code></dt><dd>Open to pages of every origin (CORS), and preflights are answered.</dd></div>
      </dl>
      <p class="machines">
        For programs:
        <a href="${root}openapi.json">openapi.json</a>
        <a href="${root}openapi.yaml">openapi.yaml</a>
        ${areas.flatMap(({ imports = [] }) =>
          imports.map(({ path, name }) => html`<a href="${root}${path.slice(1)}">${name}</a> `),
        )}
        <a href="${root}downloads/practice-api.postman_collection.json">Postman collection</a>
        <a href="${root}downloads/practice-api.http">.http file</a>
        <a href="${root}downloads">all downloads</a>
        <a href="${root}llms.txt">llms.txt</a>
        <a href="${root}health">health</a>
      </p>
    </section>`;
}

/** What the console begins with where no area has something better. */
const homePreset: Preset = { title: 'the areas', method: 'GET', path: '/' };

function renderArea(
  area: Area,
  operations: readonly OperationSummary[],
  { config, baseUrl, root, isInside }: LandingParts,
): Html {
  const { name, title, guide, start, summary, page, examples, credentials } = area;
  const { parts = [], isShown } = area;
  const listed = isShown ? operations.filter(({ path }) => isShown(path)) : operations;
  return html`
    <section class="area" id="${name}" aria-labelledby="${name}-title">
      <header>
        <h2 id="${name}-title"><a href="#${name}">${title}</a></h2>
        <p class="area-summary">${summary}${page !== undefined && html` <a href="${root}${page.path.slice(1)}">Open its page in the browser</a>`}</p>
      </header>
      ${credentials && renderCredentials(credentials(config), start)}
      <div class="halves">
        <div class="examples">
          ${(examples?.(config) ?? []).map((example, index) =>
            renderExample(
              isInside ? withoutSandbox(example) : example,
              `${name}-${index + 1}`,
              baseUrl,
            ),
          )}
        </div>
        <div class="endpoints">
          <h3>Endpoints</h3>
          <ul tabindex="0" aria-label="Endpoints of ${title}">
            ${parts.map(
              ({ path, says }) =>
                html`<li><span class="verbs">${renderVerb('GET')}</span><code><a href="${root}${path.slice(1)}">${path}</a></code><span class="says">${says}</span></li>`,
            )}
            ${groupByPath(listed).map(
              ({ verbs, path, summary: says }) =>
                html`<li><span class="verbs">${verbs.map(renderVerb)}</span><code>${path}</code><span class="says">${says}</span></li>`,
            )}
          </ul>
          <p class="more">${guide && html`<a href="${root}guides/${guide}">${title}: the guide</a> `}<a href="${root}docs#/${name}">${title} in the reference</a></p>
        </div>
      </div>
    </section>`;
}

interface Endpoint {
  readonly verbs: readonly string[];
  readonly path: string;
  readonly summary: string;
}

/** Verbs that do the same at the same path stand together. */
function groupByPath(operations: readonly OperationSummary[]): Endpoint[] {
  const endpoints = new Map<string, Endpoint>();
  for (const { method, path, summary } of operations) {
    const key = `${path} ${summary}`;
    const verbs = [...(endpoints.get(key)?.verbs ?? []), method];
    endpoints.set(key, { verbs, path, summary });
  }
  return [...endpoints.values()];
}

function renderVerb(verb: string): Html {
  return html`<span class="verb ${verb.toLowerCase()}">${verb}</span>`;
}

function renderCredentials(credentials: readonly TestCredential[], start: string): Html {
  return html`
    <section class="credentials" id="credentials" aria-labelledby="credentials-title">
      <h3 id="credentials-title">Test credentials</h3>
      <p>They guard nothing: they are here to be used. Programs find them at <code>${start}</code>.</p>
      <ul>
        ${credentials.map(
          ({ title, parts }) => html`<li>
            <h4>${title}</h4>
            <dl>${parts.map(
              ({ name, value }) =>
                html`<div><dt>${name}</dt><dd><code>${value}</code><button type="button" class="needs-js copy small" data-copy-text="${value}" aria-label="Copy: ${title}, ${name}">Copy</button></dd></div>`,
            )}</dl>
          </li>`,
        )}
      </ul>
    </section>`;
}

function renderExample(example: Example, id: string, baseUrl: string): Html {
  const { title, method, path, answer, times = 1 } = example;
  const call = callOf(example, baseUrl);
  const named = answer.headers ?? [];
  return html`
    <article class="example" id="${id}" aria-labelledby="${id}-title" data-request="${JSON.stringify(requestOf(example))}" data-status="${answer.status}" data-has="${answer.has}">
      <h3 id="${id}-title">${title}</h3>
      <p class="line">
        ${renderVerb(method)}<code>${path}</code>
        <span class="promise">${times > 1 && html`× ${times} `}<span aria-hidden="true">→</span><span class="unseen">is answered by</span>
          <b class="status s${String(answer.status)[0]}">${answer.status} ${STATUS_CODES[answer.status]}</b>${named.length > 0 && html` <span class="with">with ${named.join(', ')}</span>`}</span>
      </p>
      <div class="code">
        <div class="bar">
          <fieldset class="tabs">
            <legend class="unseen">Client for: ${title}</legend>
            ${clients.map(
              (client, index) =>
                html`<input type="radio" name="${id}" value="${client.id}" id="${id}-${client.id}"${index === 0 && html` checked`}><label for="${id}-${client.id}">${client.title}</label>`,
            )}
          </fieldset>
          <button type="button" class="needs-js copy" data-copy-code aria-label="Copy the code: ${title}">Copy</button>
          <button type="button" class="needs-js try" aria-label="Send: ${title}">Send</button>
        </div>
        ${clients.map(
          (client) =>
            html`<pre tabindex="0" data-client="${client.id}"><code>${highlightCode(client.write(call), client.language)}</code></pre>`,
        )}
      </div>
      <div class="answer" hidden></div>
    </article>`;
}

/** The address says it. */
function withoutSandbox(example: Example): Example {
  const { 'X-Sandbox': _named, ...headers } = example.headers ?? {};
  return { ...example, headers };
}

/** What a script of the page has to know to send it. */
function requestOf({ method, path, headers = {}, user, json, body, times = 1 }: Example) {
  const basic = user && Buffer.from(`${user.username}:${user.password}`).toString('base64');
  return {
    method,
    path,
    headers: {
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(basic !== undefined && { Authorization: `Basic ${basic}` }),
      ...headers,
    },
    body: json === undefined ? body : formatJson(json),
    times,
  };
}
