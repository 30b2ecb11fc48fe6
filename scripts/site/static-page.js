/** Makes a file from a page of the service: without scripts, and with links to files. */

import { posix } from 'node:path';

/** The URL of the service in guides. */
export const origin = 'http://localhost:3000';

/** Begins a link to a page of the running service. */
export const onService = 'service:';

const startFile = 'start-it-first.html';

/**
 * The files of a site: which pages it has, and which pages of the service are linked but need the service.
 */
export class SiteFiles {
  /** By path on the service. */
  #files;
  /** @type {Map<string, string>} By path on the service, with its fragment */
  needed = new Map();
  /** @type {Set<string>} Paths on the service */
  assets = new Set();

  /** @param {ReadonlyMap<string, string>} files */
  constructor(files) {
    this.#files = files;
  }

  /**
   * Returns the link from a file to what a link of the service leads to.
   *
   * @param {string} from
   * @param {URL} target
   */
  link(from, target) {
    const { pathname, hash } = target;
    const [, area, operation] = /^#\/([\w-]+)(?:\/(\w+))?$/.exec(hash) ?? [];
    if (pathname === '/docs' && area !== undefined) {
      const anchor = operation === undefined ? '' : `#${operation}`;
      return relativeTo(from, `reference/${area}.html`) + anchor;
    }
    const file = this.#files.get(pathname.replace(/(?<=.)\/$/, ''));
    if (file !== undefined) return relativeTo(from, file) + hash;
    if (/^\/(?:assets|guides\/images)\//.test(pathname)) {
      this.assets.add(pathname);
      return relativeTo(from, pathname.slice(1));
    }
    return this.linkToStart(from, pathname + target.search + hash);
  }

  /**
   * Returns the link to what to do before a path of the service can be opened.
   *
   * @param {string} from
   * @param {string} path
   */
  linkToStart(from, path) {
    const id = path.replaceAll(/[^\w]+/g, '-').replace(/^-|-$/g, '') || 'front';
    this.needed.set(path, id);
    return `${relativeTo(from, startFile)}#${id}`;
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function relativeTo(from, to) {
  return posix.relative(posix.dirname(from), to);
}

/**
 * @param {string} html A page of the service
 * @param {string} path Its path on the service
 * @param {string} file
 * @param {SiteFiles} files
 */
export function staticPage(html, path, file, files) {
  // Pages of areas are made from the page of the reference.
  const base = path.startsWith('/docs/') ? '/docs' : path;
  const withoutScripts = html
    .replaceAll(/\s*<script[^>]*><\/script>/g, '')
    .replaceAll(/\s*<link rel="(?:modulepreload|alternate)"[^>]*>/g, '')
    .replaceAll(/\s*<noscript>.*?<\/noscript>/gs, '')
    .replaceAll(/\s*<button[^>]* hidden>.*?<\/button>/gs, '')
    .replaceAll(/\s*<button[^>]*class="needs-js copy"[^>]*>.*?<\/button>/gs, '')
    .replaceAll(/\s*<section class="reader needs-js".*?<\/section>/gs, '')
    .replaceAll(/\s*<a [^>]*type="text\/markdown">.*?<\/a>/gs, '')
    // A page that is opened as a file has no origin, so it may not load style sheets across origins.
    .replaceAll(' crossorigin', '')
    .replaceAll(' aria-expanded="false"', '')
    .replaceAll(
      /<button type="button" class="needs-js send" aria-label="([^"]*)">Send<\/button>/g,
      `<a class="send" href="${onService}${path}" aria-label="$1, after a start of the service">Send</a>`,
    )
    .replace(/(?<=<nav aria-label="Pages">).*?(?=<\/nav>)/s, pagesOf(path));
  return withoutScripts.replaceAll(/(?<=<[a-z][^<>]* (?:href|src)=")[^"]*(?=")/g, (written) => {
    const target = written.replaceAll('&amp;', '&');
    if (target.startsWith(onService)) {
      return files.linkToStart(file, target.slice(onService.length));
    }
    const url = new URL(target, origin + base);
    if (url.origin !== origin || (target.startsWith('#') && !target.startsWith('#/')))
      return written;
    return files.link(file, url);
  });
}

/** @param {string} path */
function pagesOf(path) {
  const pages = {
    '/guides': 'Guides',
    '/docs': 'API reference',
    '/guides/compared': 'Compared',
    '/start-it-first': 'Start it',
  };
  const links = Object.entries(pages).map(([target, title]) => {
    const current = target === path ? ' aria-current="page"' : '';
    return `\n    <a href="${target}"${current}>${title}</a>`;
  });
  return `${links.join('')}\n  `;
}
