/**
 * Pages without scripts and files, in no frame, with no external content; they work without a
 * build.
 */

import { hash } from 'node:crypto';
import { isHost } from '#base/normalize-host.js';
import type { Reply } from '#http/exchange.js';
import { type Html, html } from './html.js';
import { style } from './plain-page-style.js';

const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;

const webScheme = /^https?:$/;

export interface SendOptions {
  readonly status?: number;
  /** Final target of the form, because browsers also check redirects after it. */
  readonly formTarget?: string | undefined;
  /** URLs of its frames. */
  readonly frames?: readonly string[];
  /** Source of the page's only script. */
  readonly script?: string;
}

export interface Page {
  readonly send: (reply: Reply, options?: SendOptions) => Reply;
}

/** `ending` is unescaped markup. */
export function renderPage(title: string, body: Html, ending = ''): Page {
  const head = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Practice API</title>
    <style>`;
  const text = `${head.text}${style}</style>
  </head>
  <body><main>${body.text}${ending}</main></body>
</html>
`;
  return {
    send: (reply: Reply, options: SendOptions = {}): Reply =>
      reply
        .code(options.status ?? 200)
        .header('content-security-policy', policyFor(options))
        .header('x-frame-options', 'DENY')
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .type('text/html; charset=utf-8')
        .serializer(String)
        .send(text),
  };
}

/** Returns the Content-Security-Policy of a page. */
export function policyFor({ formTarget, script, frames = [] }: SendOptions): string {
  const formTargets = formTarget === undefined ? [] : sourcesOf([formTarget]);
  const frameSources = sourcesOf(frames);
  return [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(script === undefined ? [] : [`script-src ${script}`]),
    ...(frameSources.length === 0 ? [] : [`frame-src ${frameSources.join(' ')}`]),
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the sources of a policy for URLs, each once. */
function sourcesOf(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.flatMap((url) => sourceOf(url) ?? []))];
}

/**
 * Returns a URL as a source of a policy: the origin of http or https, or the scheme of an
 * application. Returns `undefined` for a host such as a;b, which is valid in a URL but would add a
 * directive.
 */
function sourceOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol, host } = new URL(url);
  if (origin === 'null') return protocol;
  return webScheme.test(protocol) && isHost(host) ? origin : undefined;
}
