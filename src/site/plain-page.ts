/** Pages without scripts and files, in no frame, with nothing from anywhere else; they work where no pages were built. */

import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.js';
import { style } from './plain-page-style.js';

const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;

export interface SendOptions {
  readonly status?: number;
  /** Where a form of the page leads in the end: browsers look at redirects after it as well. */
  readonly formTarget?: string;
  /** What its frames show. */
  readonly frames?: readonly string[];
  /** The source of the one script that the page has. */
  readonly script?: string;
}

export interface Page {
  readonly send: (reply: FastifyReply, options?: SendOptions) => FastifyReply;
}

/** `ending` is markup that is not escaped. */
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
    send: (reply: FastifyReply, options: SendOptions = {}): FastifyReply =>
      reply
        .code(options.status ?? 200)
        .header('content-security-policy', policy(options))
        .header('x-frame-options', 'DENY')
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .type('text/html; charset=utf-8')
        .serializer(String)
        .send(text),
  };
}

function policy({ formTarget, script, frames = [] }: SendOptions): string {
  return [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(script === undefined ? [] : [`script-src ${script}`]),
    ...(frames.length === 0 ? [] : [`frame-src ${[...new Set(frames.map(sourceOf))].join(' ')}`]),
    `form-action 'self'${formTarget === undefined ? '' : ` ${sourceOf(formTarget)}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** An address as a source of a policy: an origin, or the scheme of an application. */
function sourceOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
