/**
 * Writes the guides, the reference and the comparison into `dist-site/`, or into the folder that an argument names, as files
 * that any static host serves, and that open without one: `npm run build:site`. Reads the pages from the built service.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundle } from 'rolldown';
import { escapeHtml } from './guides/html.js';
import { reportParts } from './report-parts.js';
import { onService, origin, SiteFiles, staticPage } from './site/static-page.js';

const root = new URL('../', import.meta.url);
const to = process.argv[2]
  ? new URL(`${pathToFileURL(process.argv[2])}/`)
  : new URL('dist-site/', root);

const { report, end } = reportParts(
  'Building the site: guides, reference and comparison as files.',
);
const { createService } = await import(new URL('dist/index.js', root).href);
const service = await createService({ metrics: 'on' });
try {
  await buildSite();
} finally {
  await service.close();
}
end([fileURLToPath(to)]);

async function buildSite() {
  rmSync(to, { recursive: true, force: true });
  const pages = await readGuides();
  report('guides');
  const description = JSON.parse(await readText('/openapi.json'));
  const reference = await referencePages(description);
  for (const [path, page] of reference) pages.set(path, page);
  report('reference');

  const files = new SiteFiles(
    new Map([
      ...[...pages.keys()].map((path) => /** @type {const} */ ([path, fileOf(path)])),
      ...[
        /** @type {const} */ (['/', 'index.html']),
        /** @type {const} */ (['/start-it-first', 'start-it-first.html']),
        /** @type {const} */ (['/openapi.json', 'openapi.json']),
        /** @type {const} */ (['/site.css', 'site.css']),
      ],
    ]),
  );
  write('site.css', readFileSync(new URL('pages/site/site.css', root)));
  write('openapi.json', JSON.stringify(description));
  for (const [path, page] of pages) {
    write(fileOf(path), staticPage(withStyle(page), path, fileOf(path), files));
  }
  const start = startPage(pages.get('/guides/getting-started') ?? '', files);
  write('start-it-first.html', start);
  for (const path of files.assets) write(path.slice(1), await read(path));
}

/** Follows the links between guides. */
async function readGuides() {
  /** @type {Map<string, string>} */
  const pages = new Map();
  const waiting = ['/guides'];
  for (const path of waiting) {
    const page = await readText(path);
    pages.set(path, page);
    for (const [, target = ''] of page.matchAll(/href="([^"]+)"/g)) {
      const { origin: at, pathname } = new URL(target, origin + path);
      const isGuide = at === origin && /^\/guides\/(?!images\/)[^.]+$/.test(pathname);
      if (isGuide && !waiting.includes(pathname)) waiting.push(pathname);
    }
  }
  return pages;
}

/**
 * Returns a page with the outline of all operations, and one for each area.
 *
 * @param {{ tags: { name: string, 'x-displayName': string, description: string }[] }} description
 */
async function referencePages(description) {
  const outline = (await readText('/docs'))
    .replace('Open an operation to see it and to send it. Programs', 'Programs')
    // Only scripts open areas when an operation is opened.
    .replaceAll('<details class="area"', '<details class="area" open');
  const { renderOperations } = await importRenderer();
  const operations = renderOperations(description);
  /** @type {Map<string, string>} */
  const pages = new Map([['/docs', outline]]);
  for (const { name, 'x-displayName': title, description: text } of description.tags) {
    const sections = operations.filter(({ area }) => area === name).map(({ html }) => html);
    const main = `<h1>${escapeHtml(title)}</h1><p class="quiet">${escapeHtml(text)}</p>${sections.join('\n')}`;
    const page = outline
      .replace(/(?<=<main id="reference"[^>]*>).*(?=<\/main>)/s, () => main)
      .replace(
        /<title>.*?<\/title>/,
        () => `<title>${escapeHtml(title)} · Practice API reference</title>`,
      )
      .replaceAll('href="/docs" class="send"', `href="${onService}/docs#/${name}" class="send"`);
    pages.set(`/docs/${name}`, page);
  }
  return pages;
}

/**
 * The views of the reference, with elements that are text.
 *
 * @returns {Promise<{ renderOperations: (description: object) => { area: string, html: string }[] }>}
 */
async function importRenderer() {
  const { output } = await bundle({
    cwd: fileURLToPath(root),
    input: 'pages/site/render-area.ts',
    platform: 'node',
    write: false,
    tsconfig: fileURLToPath(new URL('pages/tsconfig.json', root)),
    output: { format: 'esm', codeSplitting: false },
    plugins: [
      {
        name: 'elements-as-text',
        resolveId: (id) =>
          id.endsWith('/element.js') ? fileURLToPath(new URL('pages/site/element.ts', root)) : null,
      },
    ],
  });
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}

/**
 * Returns the page that says how to start the service, with the paths of the service that other pages link to.
 *
 * @param {string} guide Another page, for its frame
 * @param {SiteFiles} files
 */
function startPage(guide, files) {
  const path = '/start-it-first';
  const frame = guide
    .replace(/<title>.*?<\/title>/, '<title>Start it first · Practice API</title>')
    .replace(/<meta name="description"[^>]*>/, '')
    .replace(/(?<=<nav aria-label="On this page">).*?(?=<\/nav>)/s, '')
    .replace(/(?<=<article aria-labelledby="guide-title">).*(?=<\/article>)/s, '<!-- start -->')
    .replaceAll(' aria-current="page"', '');
  const page = staticPage(withStyle(frame), path, 'start-it-first.html', files);
  const places = [...files.needed].sort().map(([needed, id]) => {
    const url = escapeHtml(`${origin}${needed}`);
    return `<li id="${id}" class="start-first"><a href="${url}">${url}</a></li>`;
  });
  return page.replace(
    '<!-- start -->',
    () => `
    <header class="head"><h1 id="guide-title">Start it first</h1></header>
    <p>These pages are files. They send no requests: for that, start the service on your machine. In a clone of the project,
    with Node.js 20.19 or newer:</p>
    <div class="code"><pre tabindex="0"><code>npm ci &amp;&amp; npm start    # once published, without a clone: npx practice-api</code></pre></div>
    <p><a href="guides/getting-started.html">Getting started</a> has more. The service has these pages too, and there
    <strong>Send</strong> sends the examples.</p>
    <h2 id="then-open">Then open</h2>
    <ul>${places.join('\n')}</ul>`,
  );
}

/** @param {string} page */
function withStyle(page) {
  return page.replace('</head>', '  <link rel="stylesheet" href="/site.css">\n  </head>');
}

/** @param {string} path On the service */
function fileOf(path) {
  if (path === '/guides') return 'index.html';
  if (path === '/docs') return 'reference.html';
  return `${path.slice(1).replace(/^docs\//, 'reference/')}.html`;
}

/**
 * @param {string} file
 * @param {string | Buffer} content
 */
function write(file, content) {
  const url = new URL(file, to);
  mkdirSync(dirname(fileURLToPath(url)), { recursive: true });
  writeFileSync(url, content);
}

/** @param {string} path */
async function readText(path) {
  return String(await read(path));
}

/**
 * Reads a page of the service, with the URLs of a service at its usual address.
 *
 * @param {string} path
 * @returns {Promise<Buffer>}
 */
function read(path) {
  return new Promise((resolve, reject) => {
    const headers = { Host: new URL(origin).host, Accept: 'text/html, */*;q=0.1' };
    get(`${service.url}${path}`, { headers }, async (response) => {
      const content = Buffer.concat(await response.toArray());
      if (response.statusCode === 200) resolve(content);
      else reject(new Error(`GET ${path}: ${response.statusCode} ${content}`));
    }).on('error', reject);
  });
}
