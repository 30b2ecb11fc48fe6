/**
 * Renders the front page: a description of the service, then its areas, folded until they are
 * opened.
 */

import { prefixOf, sentTargetOf } from '#http/address/sandbox-address.js';
import { addressedContent, placeholderHost } from '#http/caching/addressed-content.js';
import type { Content } from '#http/caching/content.js';
import type { Request } from '#http/exchange.js';
import type { Area } from '#kit/area.js';
import { purposePath, purposes } from '#kit/front/purposes.js';
import type { AppContext } from '#kit/infrastructure.js';
import { importedFileToken } from '#kit/offers/front-page.js';
import { type Html, html } from '#kit/pages/html.js';
import { fillShell } from '#kit/pages/send-page.js';
import type { OperationSummary } from '#kit/route-catalogue.js';
import { renderGroups } from './render-groups.js';
import { type PagePlace, renderHero, root } from './render-hero.js';

/**
 * Placeholder for a host in brackets, which shell code must quote. A reserved address (RFC 6666).
 */
const placeholderAddress = '[100::ba5e]';

/**
 * Makes the page whose examples call the service at the base URL of the request, at the root or
 * below `/s/`.
 */
export function landingPage({ areas, offers, config, catalogue }: AppContext) {
  const pagesFor = (isInside: boolean, finish?: (text: string, baseUrl: string) => string) => {
    const pageOf = (host: string) => {
      // Quotes and escapes depend on the characters of the configured base URL.
      const baseUrl = config.baseUrl ?? `http://${host}`;
      const render = async () => {
        await catalogue.complete();
        const body = renderBody(
          { areas, offers, config, baseUrl, isInside },
          catalogue.operations(),
        );
        return fillShell('landing', root, { '<!-- body -->': body.text });
      };
      return addressedContent('text/html; charset=utf-8', render, host, finish);
    };
    const [named, bracketed] = [pageOf(placeholderHost), pageOf(placeholderAddress)];
    return (baseUrl: string) => (baseUrl.includes('[') ? bracketed : named)(baseUrl);
  };
  const outside = pagesFor(false);
  const inside = pagesFor(true);
  // If the path ends with the name of a sandbox, relative URLs begin one level higher.
  const withoutSlash = pagesFor(true, (text, baseUrl) => {
    const name = baseUrl.slice(baseUrl.lastIndexOf('/') + 1);
    return text.replaceAll(`="${root}`, `="${root}${name}/`);
  });
  return ({ raw, baseUrl }: Request): Promise<Content> => {
    if (prefixOf(raw) === '') return outside(baseUrl);
    const [path = ''] = sentTargetOf(raw).split('?', 1);
    return (path.endsWith('/') ? inside : withoutSlash)(baseUrl);
  };
}

function renderBody(place: PagePlace, operations: readonly OperationSummary[]): Html {
  const countOf = ({ name }: Area) => operations.filter(({ area }) => area === name).length;
  return html`${renderHero(place)}
    <nav class="purposes" aria-label="What are you here for?">
      <ul class="ways">${purposes.map(
        ({ name, title, says }) =>
          html`<li><a href="${root}${purposePath(name).slice(1)}"><b>${title}</b> ${says}</a></li>`,
      )}</ul>
    </nav>
    ${renderQuestion(place)}
    <section class="map" aria-labelledby="map-title">
      <header>
        <h2 id="map-title">What it offers</h2>
        <p class="filter needs-js">
          <label for="filter" class="unseen">Find guides and endpoints</label>
          <input id="filter" type="search" placeholder="Find guides and endpoints" autocomplete="off" spellcheck="false">
        </p>
      </header>
      <p class="found-outcome" id="filter-outcome" role="status"></p>
      <ol class="found" id="filter-found" aria-label="Found"></ol>
      ${renderGroups(place, countOf)}
    </section>
    ${renderEverywhere(place)}`;
}

/** Asks which API a tutorial names; the script shows its base URL. */
function renderQuestion({ areas }: PagePlace): Html {
  const named = areas.flatMap(({ front }) => front.purposes ?? []).filter((each) => each.isNamed);
  return html`
    <section class="asks needs-js" aria-labelledby="asks-title">
      <h2 id="asks-title">Following a tutorial?</h2>
      <label>Which API does it name? <select id="asks-api"><option value="">Choose…</option>${named.map(
        ({ title, base = '' }) => html`<option value="${base}">${title}</option>`,
      )}</select></label>
      <p id="asks-outcome" role="status"><code id="asks-base"></code></p>
      <button type="button" class="copy small" data-copy="asks-base" id="asks-copy" aria-label="Copy the base URL of this API" hidden>Copy</button>
    </section>`;
}

function renderEverywhere({ offers }: PagePlace): Html {
  return html`
    <section class="everywhere" aria-labelledby="everywhere">
      <h2 id="everywhere">What works everywhere</h2>
      <dl>
        <div><dt><code>X-Sandbox: any-name</code></dt><dd>Your own copy of all data, windows, bins and tokens. Nobody else’s writes get in your way.</dd></div>
        <div><dt><code>/s/any-name/…</code></dt><dd>The same before any path, where you cannot send a header: an address bar, <code>EventSource</code>, a base URL in settings.</dd></div>
        <div><dt><code>?delay=2</code> <code>?error=503</code></dt><dd>Makes any endpoint slow, or fail, on demand.</dd></div>
        <div><dt><code>X-Request-Id: yours</code></dt><dd>Comes back in the response, so that you can find it in the log.</dd></div>
        <div><dt><code>405</code> and <code>Allow</code></dt><dd>Every path responds to every method, if only with the methods that it supports.</dd></div>
        <div><dt><code>{status, error, message}</code></dt><dd>Errors are JSON of this shape, for malformed HTTP as well as for an unknown path.</dd></div>
        <div><dt><code>Origin: anywhere</code></dt><dd>Open to pages of every origin (CORS), preflights included.</dd></div>
      </dl>
      <p class="machines">
        For programs:
        <a href="${root}openapi.json">openapi.json</a>
        <a href="${root}openapi.yaml">openapi.yaml</a>
        ${offers
          .all(importedFileToken)
          .map(({ path, name }) => html`<a href="${root}${path.slice(1)}">${name}</a> `)}
        <a href="${root}downloads/practice-api.postman_collection.json">Postman collection</a>
        <a href="${root}downloads/practice-api.http">.http file</a>
        <a href="${root}downloads">all downloads</a>
        <a href="${root}llms.txt">llms.txt</a>
        <a href="${root}health">health</a>
      </p>
    </section>`;
}
