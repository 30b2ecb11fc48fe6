/** Reads the arguments of curl; throws a {@link PasteFault} for what a page cannot send. */

import { encodeBasic } from '../../../src/describe/snippets/encode-basic.js';
import { readCurl } from '../../shared/curl/read-curl.js';
import { type PastedRequest, PasteFault } from './pasted.js';

/** `input` is what earlier commands print, if it is known. */
export function readCurlArguments(args: readonly string[], input?: string): PastedRequest {
  const known = args.map((arg) => (arg === '@-' && input !== undefined ? input : arg));
  const { method, urls, headers, body = '', user, cookies, leftOut, forms } = readCurl(known);
  const [missing] = leftOut;
  if (missing !== undefined) throw new PasteFault(reasonFor(missing));
  const [address, second] = urls;
  if (address === undefined) throw new PasteFault('The command has no URL.');
  if (second !== undefined)
    throw new PasteFault(`This console sends one request, not ${urls.length}.`);
  const [, scheme = 'http'] = /^(\w+):\/\//.exec(address) ?? [];
  if (!/^https?$/i.test(scheme)) throw new PasteFault(`A page sends only HTTP, not ${scheme}.`);
  if (/[{[]/.test(address) && !args.some((arg) => /^(?:-\w*g|--globoff$)/.test(arg))) {
    if (
      !/^\w*:?\/*\[[\da-f:.]+\]/i.test(address) ||
      /[{[]/.test(address.replace(/\[[\da-f:.]+\]/i, ''))
    )
      throw new PasteFault('In curl, [] and {} in a URL mean several requests. Paste one of them.');
  }
  if (cookies.some((each) => !each.includes('='))) {
    throw new PasteFault('-b reads cookies from a file, which a page cannot. Write -b name=value.');
  }
  const form = forms.length > 0 ? multipart(forms) : undefined;
  return {
    method: form && method === 'GET' ? 'POST' : method,
    address,
    headers: [
      ...headers,
      ...(form ? [`Content-Type: multipart/form-data; boundary=${boundary}`] : []),
      ...(user === undefined ? [] : [basicHeader(user)]),
      ...(cookies.length > 0 ? [`Cookie: ${cookies.join('; ')}`] : []),
    ],
    body: form ?? body,
  };
}

export function basicHeader(user: string): string {
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user) ?? [];
  return `Authorization: ${encodeBasic({ username, password })}`;
}

const boundary = 'practice-api-form';

function multipart(fields: readonly string[]): string {
  const parts = fields.map((field) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(field) ?? [];
    if (/^[@<]/.test(value)) throw new PasteFault(reasonFor(`-F ${field}`));
    const [text = '', ...parameters] = value.split(';');
    const type = parameters.find((each) => each.startsWith('type='))?.slice('type='.length);
    const head = `Content-Disposition: form-data; name="${name}"`;
    return `--${boundary}\r\n${head}${type ? `\r\nContent-Type: ${type}` : ''}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

function reasonFor(option: string): string {
  const [, reason] = reasons.find(([form]) => form.test(option)) ?? [];
  return reason ?? `This console does not support ${option}.`;
}

const browserVersion = 'The browser chooses the version of HTTP, so a page cannot.';
const files = 'A page cannot read files. Put the text itself after -d.';

const reasons: readonly (readonly [RegExp, string])[] = [
  [/ @-$/, '@- is the input of a command, which a page does not have. Put the text after -d.'],
  [/^-F/, 'A page cannot read files. Write -F name=text instead.'],
  [/^(?:-T|--upload-file)| @|^--data-urlencode|^-K|^--config/, files],
  [/^--digest|^--anyauth/, 'Digest needs two requests. Use the reference, which sends both.'],
  [/^--?(?:cert|key|E$|cacert|pass)/, 'The browser chooses client certificates, so a page cannot.'],
  [/^--aws-sigv4/, 'Only curl computes this signature. Paste the signed headers instead.'],
  [/^-[0-3]$|^--http|^--no-alpn/, browserVersion],
  [/^--user-agent/, 'Browsers set User-Agent themselves, so a page cannot send -A.'],
  [/^--referer/, 'Browsers set Referer themselves, so a page cannot send -e.'],
  [
    /^-[kx]$|^--insecure|^--proxy|^--resolve|^--connect-to/,
    'The browser connects by its own settings. Paste the command without this option.',
  ],
];
