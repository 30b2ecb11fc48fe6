/** What a line for curl sends, as the console has it; files, forms and what browsers do by themselves are left out. */

export interface PastedRequest {
  readonly method: string;
  readonly address: string;
  /** A line each, such as `Accept: text/csv`. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** The words of a command as a POSIX shell splits it, with its quotes and escapes; variables stay as they are. */
export function splitWords(command: string): string[] {
  const words: string[] = [];
  const token = /\\\r?\n|\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/g;
  let word: string | undefined;
  for (const [all, single, double, escaped, plain] of command.matchAll(token)) {
    if (/^(?:\\\r?\n|\s+)$/.test(all)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const inner = double?.replaceAll(/\\(["\\$`])/g, '$1').replaceAll(/\\\r?\n/g, '');
    word = (word ?? '') + (single ?? inner ?? escaped ?? plain ?? '');
  }
  return word === undefined ? words : [...words, word];
}

/** Options with a value, by what they become; other short ones stand for themselves. */
const options: Readonly<Record<string, string>> = {
  '-X': 'method',
  '--request': 'method',
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-raw': 'data',
  '--data-binary': 'data',
  '--data-ascii': 'data',
  '--data-urlencode': 'encoded',
  '--json': 'json',
  '-u': 'user',
  '--user': 'user',
  '-b': 'cookie',
  '--cookie': 'cookie',
  '-A': 'User-Agent',
  '-e': 'Referer',
  '--url': 'address',
  '-o': 'nothing',
  '--output': 'nothing',
  '-m': 'nothing',
  '--max-time': 'nothing',
};

/** `undefined` where it names no address. */
export function parseCurl(command: string): PastedRequest | undefined {
  const found: Record<string, string[]> = {};
  const add = (kind: string, value: string) => {
    found[kind] = [...(found[kind] ?? []), value];
  };
  const words = splitWords(command).slice(1);
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const short = word.slice(0, 2);
    if (options[word] !== undefined) add(options[word], words.shift() ?? '');
    else if (!word.startsWith('--') && word.length > 2 && options[short] !== undefined) {
      add(options[short], word.slice(2));
    } else if (!word.startsWith('-')) add('address', word);
    else if (/^(?:-[a-zA-Z]*I|--head)/.test(word)) add('method', 'HEAD');
    else if (/^(?:-[a-zA-Z]*G|--get)$/.test(word)) add('get', '');
  }
  const {
    address: [address] = [],
    method = [],
    header = [],
    user = [],
    cookie = [],
    json = [],
  } = found;
  if (address === undefined) return undefined;
  const data = [...(found.data ?? []), ...json, ...(found.encoded ?? []).map(encodeData)].join('&');
  const type = json.length > 0 ? 'application/json' : 'application/x-www-form-urlencoded';
  const isQuery = found.get !== undefined;
  const hasType = header.some((line) => /^content-type:/i.test(line));
  return {
    method: method.at(-1) ?? (data === '' || isQuery ? 'GET' : 'POST'),
    address:
      isQuery && data !== '' ? `${address}${address.includes('?') ? '&' : '?'}${data}` : address,
    headers: [
      ...header,
      ...(data === '' || isQuery || hasType ? [] : [`Content-Type: ${type}`]),
      ...user.map((pair) => `Authorization: Basic ${encode(pair)}`),
      ...cookie.map((pairs) => `Cookie: ${pairs}`),
    ],
    body: isQuery ? '' : data,
  };
}

function encodeData(data: string): string {
  const [, name = '', value = ''] = /^([^=]*=)?([\s\S]*)$/.exec(data) ?? [];
  return name === '=' ? encodeURIComponent(value) : name + encodeURIComponent(value);
}

function encode(pair: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(pair)));
}
