/** Parses curl command lines. */

/**
 * @typedef {object} CurlRequest
 * @property {string} method
 * @property {string[]} urls With the data of `--get` in their queries
 * @property {string[]} headers One per line, without `user` and `cookies`
 * @property {string} [body]
 * @property {string} [user] Name and password, separated by a colon, for Basic
 * @property {string[]} cookies
 * @property {boolean} follows Whether redirects are followed
 * @property {boolean} isUnderstood Whether nothing that changes the request was left out
 * @property {string[]} leftOut The options that were left out, such as `--digest`
 * @property {string[]} forms Fields of a multipart form, such as `name=value`
 */
/** @typedef {{ name: string, value: string }} Option */

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
  A: 'user-agent',
  e: 'referer',
  F: 'form',
  T: 'upload-file',
});

/** Options that change only the output of curl, or that browsers follow anyway. */
const idleFlags = new Set([...'sSfivNg', 'silent', 'show-error', 'fail', 'include', 'verbose']);
for (const name of ['no-buffer', 'globoff', 'compressed', 'fail-with-body']) idleFlags.add(name);
const idleValues = new Set([...'owmD', 'output', 'write-out', 'max-time', 'dump-header']);

const flags = new Set(['head', 'get', 'location']);
const dataNames = ['data', 'data-ascii', 'data-raw', 'data-binary', 'data-urlencode', 'json'];
const lostNames = ['user-agent', 'referer', 'form', 'upload-file'];
const values = new Set([
  ...['request', 'url', 'header', 'user', 'cookie', 'range', 'oauth2-bearer'],
  ...dataNames,
  ...lostNames,
]);

/**
 * @param {readonly string[]} args Words after curl
 * @returns {CurlRequest}
 */
export function readCurl(args) {
  const { options, leftOut } = parseArguments(args);
  const valuesOf = (/** @type {string} */ name) =>
    options.filter((option) => option.name === name).map(({ value }) => value);
  const has = (/** @type {string} */ name) => valuesOf(name).length > 0;

  const sent = options.filter(({ name }) => dataNames.includes(name));
  const data = sent.map(dataOf).join(has('json') ? '' : '&');
  const isQuery = has('get');
  const hasBody = sent.length > 0 && !isQuery;
  const user = valuesOf('user').at(-1);
  return {
    method: valuesOf('request').at(-1) ?? (has('head') ? 'HEAD' : hasBody ? 'POST' : 'GET'),
    urls: valuesOf('url').map((url) =>
      isQuery && data !== '' ? `${url}${url.includes('?') ? '&' : '?'}${data}` : url,
    ),
    headers: readHeaders(options, hasBody),
    ...(hasBody && { body: data }),
    ...(user !== undefined && { user }),
    cookies: valuesOf('cookie'),
    follows: has('location'),
    isUnderstood: leftOut.length === 0 && !sent.some(isFromFile) && !lostNames.some(has),
    leftOut: [
      ...leftOut,
      ...sent.filter(isFromFile).map(({ name, value }) => `--${name} ${value}`),
      ...lostNames.filter((name) => name !== 'form' && has(name)).map((name) => `--${name}`),
    ],
    forms: valuesOf('form'),
  };
}

/** @param {readonly string[]} args */
function parseArguments(args) {
  /** @type {Option[]} */
  const options = [];
  /** @type {string[]} */
  const leftOut = [];
  const waiting = [...args];
  for (let arg = waiting.shift(); arg !== undefined; arg = waiting.shift()) {
    if (!arg.startsWith('-') || arg === '-') {
      options.push({ name: 'url', value: arg });
      continue;
    }
    // -si is -s -i, and -XPUT is -X PUT.
    const isLong = arg.startsWith('--');
    const short = arg.charAt(1);
    const name = isLong ? arg.slice(2) : (longNames[short] ?? short);
    const rest = isLong ? '' : arg.slice(2);
    if (values.has(name) || idleValues.has(name)) {
      const value = rest === '' ? waiting.shift() : rest;
      if (value === undefined) leftOut.push(arg);
      else if (values.has(name)) options.push({ name, value });
      continue;
    }
    if (rest !== '') waiting.unshift(`-${rest}`);
    if (flags.has(name)) options.push({ name, value: '' });
    else if (!idleFlags.has(name)) leftOut.push(isLong ? arg : `-${short}`);
  }
  return { options, leftOut };
}

/**
 * @param {readonly Option[]} options
 * @param {boolean} hasBody
 */
function readHeaders(options, hasBody) {
  const isJson = options.some(({ name }) => name === 'json');
  const type = isJson ? 'json' : 'x-www-form-urlencoded';
  const usual = [
    ...(hasBody || isJson ? [`Content-Type: application/${type}`] : []),
    ...(isJson ? ['Accept: application/json'] : []),
  ];
  const given = options.flatMap(({ name, value }) => {
    if (name === 'oauth2-bearer') return `Authorization: Bearer ${value}`;
    if (name === 'range') return `Range: bytes=${value}`;
    return name === 'header' ? value : [];
  });
  const names = given.map(nameOf);
  return [...given, ...usual.filter((line) => !names.includes(nameOf(line)))];
}

/** @param {string} line */
function nameOf(line) {
  return line.replace(/:.*/s, '').toLowerCase();
}

/** @param {Option} option */
function dataOf({ name, value }) {
  // curl removes line breaks from -d data only if it comes from a file.
  if (name !== 'data-urlencode') return value;
  const [, field = '', text = ''] = /^([^=]*=)?(.*)$/s.exec(value) ?? [];
  return (field === '=' ? '' : field) + encodeURIComponent(text);
}

/** @param {Option} option */
function isFromFile({ name, value }) {
  if (name === 'data-urlencode') return !value.includes('=');
  return value.startsWith('@') && name !== 'data-raw';
}
