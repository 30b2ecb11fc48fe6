/** Reads a text that was pasted into the console: a command of any client, or a raw request. */

import { forbiddenHeaders, forbiddenMethods } from '../../shared/curl/browser-limits.js';
import { accepted, type Pasted, type PastedRequest, PasteFault } from './pasted.js';
import { readFetch } from './read-fetch.js';
import { isPowershell, readPowershell } from './read-powershell.js';
import { readShell } from './read-shell.js';

/** Returns a request that a page can send, or a sentence that says why not. */
export function readPasted(text: string): Pasted {
  try {
    const pasted = read(withoutPrompt(text.trim()));
    if ('request' in pasted) check(pasted.request);
    return pasted;
  } catch (error) {
    if (error instanceof PasteFault) return { fault: error.message };
    throw error;
  }
}

function read(text: string): Pasted {
  const raw = readRaw(text);
  if (raw !== undefined) return { request: raw };
  if (isPowershell(text)) return { request: readPowershell(text) };
  const called = readFetch(text);
  if (called !== undefined) return { request: called };
  if (program.test(text)) {
    throw new PasteFault(`A page does not run programs. ${accepted}`);
  }
  return readShell(text);
}

/** JavaScript and Python. */
const program =
  /^(?:(?:await|const|let|var|import|from|async|def|with)\s|(?:fetch|print|requests\.\w+|axios(?:\.\w+)?)\()/;

const rawHead = /^([A-Z]{3,})[ \t]+(\S+)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*(?:\r?\n|$)/;

/** Reads `GET /path`, with lines of headers and a body after an empty line. */
function readRaw(text: string): PastedRequest | undefined {
  const [line = '', method, address] = rawHead.exec(text) ?? [];
  if (method === undefined || address === undefined || !/[/:]/.test(address)) return undefined;
  const [head = '', ...rest] = text.slice(line.length).split(/^\r?\n/m);
  const headers = head.split(/\r?\n/).filter((each) => each.trim() !== '');
  const own = headers.filter((each) => !/^(?:host|content-length|connection):/i.test(each));
  return { method, address, headers: own, body: rest.join('\n').trim() };
}

/** Removes prompts; of a block with outputs, only the commands remain. */
function withoutPrompt(text: string): string {
  const prompt = /^(?:\$|%|PS[^>\n]*>)[ \t]+/;
  if (!prompt.test(text)) return text;
  const commands: string[] = [];
  let isContinued = false;
  for (const line of text.split('\n')) {
    const isStart = prompt.test(line);
    if (isStart || isContinued) commands.push(line.replace(isStart ? prompt : /^> ?/, ''));
    isContinued = (isStart || isContinued) && /[\\`]\r?$/.test(line);
  }
  return commands.join('\n');
}

function check({ method, headers, body }: PastedRequest): void {
  if (forbiddenMethods.test(method)) throw new PasteFault(`Browsers do not send ${method}.`);
  if (body !== '' && /^(?:GET|HEAD)$/i.test(method)) {
    throw new PasteFault(`Browsers send no body with ${method}. Choose another method.`);
  }
  const names = new Set<string>();
  for (const line of headers) {
    const [, name = '', value] = /^\s*([^\s:;]+)\s*(?::(.*)|;)\s*$/s.exec(line) ?? [];
    if (name === '') throw new PasteFault(`A header must be "Name: value"; got "${line}".`);
    if (value?.trim() === '') {
      throw new PasteFault(`"${line}" removes a header that curl sends; browsers send their own.`);
    }
    const key = name.toLowerCase();
    if (names.has(key)) throw new PasteFault(`Browsers join repeated headers. Send ${name} once.`);
    names.add(key);
    if (key !== 'cookie' && forbiddenHeaders.test(name)) {
      throw new PasteFault(`Browsers set ${name} themselves, so a page cannot.`);
    }
  }
}
