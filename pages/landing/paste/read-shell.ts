/** Finds the one request in a text for a POSIX shell; throws a {@link PasteFault} without it. */

import { splitShell, type Token, type Word } from '../../shared/curl/split-shell.js';
import { accepted, type Pasted, PasteFault } from './pasted.js';
import { readCurlArguments } from './read-curl-command.js';
import { readHttpieArguments } from './read-httpie.js';

/** Commands that only change the view of a response. */
const filters = new Set(
  'cut fold grep head jq less paste sed sort tail tee tr uniq wc xmllint zcat gunzip'.split(' '),
);
const clients = new Set(['curl', 'curl.exe', 'http', 'https', 'xh', 'xhs']);
const keywords = new Set('for while until if case select { ! time'.split(' '));
const wordsBefore = new Set(['time', 'command', 'exec', 'env']);

export function readShell(text: string): Pasted {
  if (/^\s*[\w-]+\s*\(\)\s*\{/.test(text)) {
    throw new PasteFault(
      'This defines a function for later commands, so there is nothing to send.',
    );
  }
  const variables = new Map<string, string>();
  const pipelines = splitAt(splitShell(withPlainAmpersands(text)), [';', '\n', '&&', '||', '&']);
  const [first] = pipelines;
  if (first === undefined) throw new PasteFault('There is no command.');
  if (keywords.has(nameOf(first))) {
    throw new PasteFault(
      'This console sends one request, without loops. Paste the command inside.',
    );
  }
  const requests = pipelines.filter((each) => splitAt(each, ['|']).some(isRequest));
  if (requests.length > 1) {
    throw new PasteFault(
      `These are ${requests.length} requests. This console sends one at a time.`,
    );
  }
  for (const pipeline of pipelines) {
    const commands = splitAt(pipeline, ['|']);
    if (commands.some(isRequest)) return readPipeline(commands, variables);
    noteVariable(pipeline, variables);
  }
  throw new PasteFault(reasonFor(first));
}

/** People paste URLs with & without quotes. */
function withPlainAmpersands(text: string): string {
  const form = /'[^']*'|"(?:[^"\\]|\\.)*"|(?<=[\w=%/.-])&(?=[\w%-])/gs;
  return text.replaceAll(form, (found) => (found === '&' ? '\\&' : found));
}

function readPipeline(commands: readonly Token[][], variables: Map<string, string>): Pasted {
  const place = commands.findIndex(isRequest);
  const tokens = withoutSinks(commands[place] ?? []);
  const words = tokens.map((token) => {
    if ('operator' in token) throw new PasteFault(inputFault);
    return expand(token, variables);
  });
  while (/^\w+=/.test(words[0] ?? '') || wordsBefore.has(words[0] ?? '')) words.shift();
  const [name = '', ...args] = words;
  const input = place > 0 ? printedBy(commands[place - 1] ?? [], variables) : undefined;
  const request = /^curl/.test(name)
    ? readCurlArguments(args, place === 1 ? input : undefined)
    : readHttpieArguments(/s$/.test(name) ? 'https' : 'http', args);
  const other = commands.slice(place + 1).find((command) => !filters.has(nameOf(command)));
  const note = other && `Only the request is sent: ${nameOf(other)} runs in a terminal.`;
  return { request, ...(note && { note }) };
}

const inputFault = 'The command reads a file or its input, which a page does not have.';

/** Returns the text that `echo` and `printf` print without escapes and formats. */
function printedBy(tokens: Token[], variables: Map<string, string>): string | undefined {
  if (tokens.some((token) => 'operator' in token)) return undefined;
  const words = tokens.map((token) => expand(token as Word, variables));
  const [name, ...rest] = words[1] === '%s' ? [words[0], ...words.slice(2)] : words;
  const text = rest.join(' ');
  const isPlain = (name === 'echo' && !text.startsWith('-')) || name === 'printf';
  return isPlain && !/[\\%]/.test(text) ? text : undefined;
}

function expand({ pieces }: Word, variables: ReadonlyMap<string, string>): string {
  return pieces
    .map((piece) => {
      if ('text' in piece) return piece.text;
      if ('unknown' in piece) throw new PasteFault(substitutionFault);
      const value = variables.get(piece.name) ?? piece.fallback;
      if (value !== undefined) return value;
      throw new PasteFault(`Only a shell knows $${piece.name}. Replace it with its value.`);
    })
    .join('');
}

const substitutionFault =
  'Only a shell can run the part in $(…) or close the quote. Replace it with its value.';

function noteVariable(tokens: Token[], variables: Map<string, string>): void {
  const [first] = tokens;
  if (first === undefined || 'operator' in first || tokens.length > 1) return;
  if (first.pieces.some((piece) => !('text' in piece))) return;
  const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(expand(first, variables)) ?? [];
  if (name !== undefined) variables.set(name, value);
}

/** `tokens` are a command that is no request. */
function reasonFor(tokens: Token[]): string {
  const name = nameOf(tokens);
  if (/^\w+=/.test(name)) return 'This only sets a variable, so there is nothing to send.';
  return `The command "${name}" needs a terminal. ${accepted}`;
}

function isRequest(tokens: Token[]): boolean {
  const names = tokens.map((token) => nameOf([token]));
  const start = names.findIndex((name) => !/^\w+=/.test(name) && !wordsBefore.has(name));
  return clients.has(names[start] ?? '');
}

/** Removes redirections of the output, because the response is shown instead. */
function withoutSinks(tokens: readonly Token[]): Token[] {
  const isSink = (token: Token | undefined) =>
    token !== undefined && 'operator' in token && /^\d?>/.test(token.operator);
  return tokens.filter((token, place) => !isSink(token) && !isSink(tokens[place - 1]));
}

function nameOf([token]: readonly Token[]): string {
  const [first] = token && 'pieces' in token ? token.pieces : [];
  return first && 'text' in first ? first.text : '';
}

function splitAt(tokens: readonly Token[], separators: readonly string[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if ('operator' in token && separators.includes(token.operator)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter(({ length }) => length > 0);
}
