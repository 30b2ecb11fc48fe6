/**
 * Renders the top of the front page: what the service is, for whom, how to run it, and a console
 * that sends requests.
 */

import { packageVersion, repositoryUrl } from '#base/package/package-files.js';
import type { Config } from '#config/settings.js';
import type { Area } from '#kit/area.js';
import { type Preset, presetToken } from '#kit/offers/front-page.js';
import type { Offered } from '#kit/offers/offers.js';
import { type Html, html } from '#kit/pages/html.js';
import { type CodePart, highlightCode } from '../highlight-code.js';

export interface PagePlace {
  readonly areas: readonly Area[];
  readonly offers: Offered;
  readonly config: Config;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Whether the base URL contains the sandbox, so that examples do not. */
  readonly isInside: boolean;
}

/** The page exists only at the root. */
export const root = './';

/** Default request of the console. */
const homePreset: Preset = { title: 'the areas', method: 'GET', path: '/' };

const clone =
  repositoryUrl === undefined
    ? ''
    : `git clone ${repositoryUrl} practice-api && cd practice-api && `;

/** Commands that start a service. The package and an image are not published yet. */
const starts = [
  ['In a clone', `${clone}npm ci && npm start`],
  ['Container', 'docker build -t practice-api . && docker run --rm -p 3000:3000 practice-api'],
  ['Once published', 'npx practice-api'],
] as const;

/** Groups of readers, each with a path through the guides. */
const readers = [
  ['beginners', 'a-path-for-beginners'],
  ['testers', 'a-path-for-testers'],
  ['library authors', 'a-path-for-authors-of-client-libraries'],
] as const;

/** Lines break between long commands rather than inside one, and never after the hyphens of a flag. */
const renderCommands = (line: string): readonly Html[] =>
  line.split(/(?<= && )/).map((command, index) => {
    const words = command
      .split(/( )/)
      .map((word) => (word.startsWith('-') ? html`<span class="unbroken">${word}</span>` : word));
    const isLong = index > 0 && command.includes(' -');
    return isLong ? html`<span class="command">${words}</span>` : html`${words}`;
  });

export function renderHero(place: PagePlace): Html {
  const { config, baseUrl } = place;
  const isClosed = config.accounts === 'required';
  return html`
    <section class="hero" aria-labelledby="title">
      <div class="pitch">
        <p class="kicker">Version ${packageVersion} · ${isClosed ? 'a free account' : 'no account'} · works offline</p>
        <h1 id="title">An API to practise on, <em>exact on the wire.</em></h1>
        <p class="lead">
          Every HTTP method and authentication scheme, GraphQL, REST, SOAP, webhooks, OpenID Connect, sockets and faults,
          in one service. It follows the RFCs to the byte. When a request is wrong, the response says why.
        </p>
        <p class="readers">For ${readers.map(
          ([title, path]) => html`<a href="${root}guides#${path}">${title}</a> `,
        )}</p>
        ${
          isClosed &&
          html`<p class="sign-up"><b>This service requires an account.</b> It is free, and takes a minute.
          <a class="act" href="${root}account">Sign up</a></p>`
        }
        <p class="base">
          <span class="label" id="base-label">Base URL</span>
          <code id="base-url" aria-labelledby="base-label">${baseUrl}</code>
          <button type="button" class="needs-js copy" data-copy="base-url">Copy</button>
        </p>
        <dl class="starts" aria-label="Run your own">${starts.map(
          ([title, command]) =>
            html`<div><dt>${title}</dt><dd><code>${renderCommands(command)}</code><button type="button" class="needs-js copy small" data-copy-text="${command}" aria-label="Copy the command: ${title}">Copy</button></dd></div>`,
        )}</dl>
      </div>
      ${renderConsole(place)}
    </section>`;
}

function renderConsole({ offers, baseUrl, isInside }: PagePlace): Html {
  const [first = homePreset, ...presets] = offers.all(presetToken);
  return html`
      <form class="console" id="console" action="${root}${first.path.slice(1).split('?')[0]}" aria-label="Send a request">
        <div class="request-line">
          <select id="console-verb" aria-label="Method" class="needs-js">
            ${['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => html`<option>${method}</option>`)}
          </select>
          <input id="console-path" aria-label="Path, address or curl command" value="${first.path}" autocomplete="off" autocapitalize="off" spellcheck="false">
          <button type="submit" class="send">Send</button>
        </div>
        <details class="more-of-it needs-js" id="console-more">
          <summary>Headers and body</summary>
          <label for="console-headers" class="unseen">Headers, one per line</label>
          <textarea id="console-headers" rows="3" placeholder="X-Sandbox: mine" spellcheck="false"></textarea>
          <label for="console-body" class="unseen">Body</label>
          <textarea id="console-body" rows="4" placeholder='{"name": "Ada"}' spellcheck="false"></textarea>
        </details>
        <div class="presets needs-js" id="presets">
          <span class="label">or try</span>
          ${presets.map(({ title, method, path }) => html`<button type="button" data-verb="${method}" data-path="${path}">${title}</button>`)}
        </div>
        <p class="own-sandbox" id="console-sandbox" hidden></p>
        <div class="wire" id="console-answer">
          <pre tabindex="0" role="group" aria-label="Request and response"><code><b>${first.method}</b> ${first.path} HTTP/1.1
<i class="h">Host:</i> ${new URL(baseUrl).host}

${isInside ? html`<i class="h">Press Send: this service responds here.</i>` : renderResponse(first)}</code></pre>
        </div>
      </form>`;
}

function renderResponse({ response }: Preset): Html | undefined {
  return (
    response &&
    html`HTTP/1.1 <b class="s2">200 OK</b>
${Object.entries(response.headers).map(
  ([name, value]) => html`<i class="h">${name}: </i>${value}
`,
)}
${renderCode(highlightCode(JSON.stringify(response.json, null, 2), 'json'))}`
  );
}

export function renderCode(parts: readonly CodePart[]): Html[] {
  return parts.map(({ text, kind }) =>
    kind === undefined ? html`${text}` : html`<i class="${kind}">${text}</i>`,
  );
}
