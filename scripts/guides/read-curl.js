/** What a call of curl sends, where a browser can send the same from a page of the service. */

/**
 * @typedef {object} SendableRequest
 * @property {string} method
 * @property {string} path From the root of the service, beginning with a slash
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {string} [user] Name and password with a colon between, for Basic
 * @property {string} [cookie] What the browser has to hold for the address
 * @property {true} [follows] Whether redirects are followed
 */

/** The documentation's address of the reader's own service. */
const service = /^(?:http:\/\/)?localhost:3000(?=[/?]|$)/;

/** What a browser sets by itself, or not at all (Fetch Standard, forbidden request-header). */
const forbidden =
  /^(?:accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie|cookie2|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|proxy-.*|sec-.*|x-http-method.*)$/;
const impossibleMethods = /^(?:connect|trace|track)$/i;
const headerText = /^[\t\x20-\x7e]*$/;

/** Options that change only what curl prints, and what a browser does anyway. */
const idleFlags = new Set([...'sSfivNg', 'silent', 'show-error', 'fail', 'include', 'verbose']);
for (const name of ['no-buffer', 'globoff', 'compressed', 'fail-with-body']) idleFlags.add(name);
const idleValues = new Set([...'owmD', 'output', 'write-out', 'max-time', 'dump-header']);

/** Short names of options that are understood. */
const longNames = /** @type {Record<string, string>} */ ({
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  b: 'cookie',
  r: 'range',
  I: 'head',
  G: 'get',
  L: 'location',
});
const flags = new Set(['head', 'get', 'location']);

/** @typedef {{ name: string, value: string }} Option */

/**
 * @param {readonly string[]} args What follows the word curl
 * @returns {SendableRequest | undefined}
 */
export function readCurl(args) {
  const parsed = parseArguments(args);
  if (parsed === undefined) return undefined;
  const { options, urls } = parsed;
  const [url = ''] = urls;
  if (urls.length !== 1 || !service.test(url)) return undefined;
  // Patterns of curl, and what a browser makes another address of.
  if (/[{}[\]#\\\s]|\/\.{1,2}(?:\/|$)|[^\x21-\x7e]/.test(url)) return undefined;
  const valuesOf = (/** @type {string} */ name) =>
    options.filter((option) => option.name === name).map(({ value }) => value);
  const has = (/** @type {string} */ name) => valuesOf(name).length > 0;

  const headers = readHeaders(options);
  const data = readData(options);
  if (headers === undefined || data === undefined) return undefined;
  const [cookie, ...otherCookies] = valuesOf('cookie');
  if (otherCookies.length > 0 || (cookie !== undefined && !cookie.includes('='))) return undefined;

  const user = valuesOf('user').at(-1);

  const isQuery = has('get');
  const body = isQuery || data.length === 0 ? undefined : data.join(has('json') ? '' : '&');
  const method =
    valuesOf('request').at(-1) ?? (has('head') ? 'HEAD' : body === undefined ? 'GET' : 'POST');
  const isBodiless = /^(?:GET|HEAD)$/i.test(method);
  if (impossibleMethods.test(method) || (isBodiless && body !== undefined)) return undefined;
  const path = url.replace(service, '') || '/';
  const query = isQuery ? (path.includes('?') ? '&' : '?') + data.join('&') : '';
  return {
    method,
    path: (path.startsWith('/') ? path : `/${path}`) + query,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
    ...(user !== undefined && { user }),
    ...(cookie !== undefined && { cookie }),
    ...(has('location') && { follows: /** @type {const} */ (true) }),
  };
}

/**
 * @param {readonly string[]} args
 * @returns {{ options: Option[], urls: string[] } | undefined} Nothing where an option is not understood
 */
function parseArguments(args) {
  /** @type {Option[]} */
  const options = [];
  const urls = [];
  const waiting = [...args];
  for (let arg = waiting.shift(); arg !== undefined; arg = waiting.shift()) {
    if (!arg.startsWith('-') || arg === '-') {
      urls.push(arg);
      continue;
    }
    // -si is -s -i, and -XPUT is -X PUT.
    const isLong = arg.startsWith('--');
    const short = arg.charAt(1);
    const name = isLong ? arg.slice(2) : (longNames[short] ?? short);
    const isFlag = idleFlags.has(name) || flags.has(name);
    const rest = isLong ? '' : arg.slice(2);
    if (isFlag && rest !== '') waiting.unshift(`-${rest}`);
    if (flags.has(name)) options.push({ name, value: '' });
    if (isFlag) continue;
    const value = rest === '' ? waiting.shift() : rest;
    if (value === undefined || !isUnderstood(name)) return undefined;
    if (!idleValues.has(name)) options.push({ name, value });
  }
  return { options, urls };
}

/** @param {string} name */
function isUnderstood(name) {
  const known = 'request header data data-raw data-binary data-urlencode json user cookie range';
  return idleValues.has(name) || `${known} oauth2-bearer`.split(' ').includes(name);
}

/**
 * @param {readonly Option[]} options
 * @returns {Record<string, string> | undefined} Nothing where a browser cannot send them
 */
function readHeaders(options) {
  /** @type {Map<string, [name: string, value: string]>} */
  const headers = new Map();
  const add = (/** @type {string} */ name, /** @type {string} */ value) =>
    headers.set(name.toLowerCase(), [name, value]);
  const names = new Set(options.map(({ name }) => name));
  if (names.has('json')) {
    add('Content-Type', 'application/json');
    add('Accept', 'application/json');
  } else if (
    !names.has('get') &&
    ['data', 'data-raw', 'data-binary', 'data-urlencode'].some((each) => names.has(each))
  ) {
    add('Content-Type', 'application/x-www-form-urlencoded');
  }
  const given = new Set();
  for (const { name, value } of options) {
    if (name === 'oauth2-bearer') add('Authorization', `Bearer ${value}`);
    if (name === 'range') add('Range', `bytes=${value}`);
    if (name !== 'header') continue;
    const [, field = '', text = ''] = /^([\w-]+): *(.*)$/s.exec(value) ?? [];
    // A field that is taken away or sent twice is for curl alone.
    if (field === '' || text === '' || given.has(field.toLowerCase())) return undefined;
    given.add(field.toLowerCase());
    add(field, text);
  }
  const isFine = [...headers].every(
    ([name, [, value]]) => !forbidden.test(name) && headerText.test(value),
  );
  return isFine ? Object.fromEntries(headers.values()) : undefined;
}

/**
 * @param {readonly Option[]} options
 * @returns {string[] | undefined} Nothing where a file is sent
 */
function readData(options) {
  const data = [];
  for (const { name, value } of options) {
    if (name === 'data-urlencode') {
      const [, field, text = ''] = /^([\w.-]*)=(.*)$/s.exec(value) ?? [];
      if (field === undefined) return undefined;
      data.push(`${field}=${encodeURIComponent(text)}`);
    } else if (['data', 'data-raw', 'data-binary', 'json'].includes(name)) {
      if (value.startsWith('@') && name !== 'data-raw') return undefined;
      // curl takes line breaks out of what is given as -d only where it comes from a file.
      data.push(value);
    }
  }
  return data;
}
