/**
 * Finds commands of a console block that send one request. The blocks of a page share one shell, so
 * that variables are known to later blocks. Other commands can only be copied.
 */

import { splitShell } from '../../pages/shared/curl/split-shell.js';
import { sendableRequest } from './sendable-request.js';

/** @typedef {import('../../pages/shared/curl/split-shell.js').Token} Token */
/** @typedef {import('../../pages/shared/curl/split-shell.js').Word} Word */
/** @typedef {import('./sendable-request.js').SendableRequest} SendableRequest */

/** Commands that only change the view of a response. */
const filters = new Set(
  'cut fold grep head jq paste sed sort tail tee tr uniq wc xmllint zcat gunzip'.split(' '),
);
/** Commands that print and change nothing that a request depends on. */
const idle = new Set(['echo', 'cat', 'printf', ':']);

export class Shell {
  /** @type {Map<string, string | undefined>} */
  #variables = new Map();
  /** @type {Map<string, string>} */
  #functions = new Map();

  /**
   * Returns the request of a command; `undefined` if it sends none or several, or if the request
   * depends on
   * its execution.
   *
   * @param {string} command
   * @returns {SendableRequest | undefined}
   */
  read(command) {
    const [, name, body] = /^(\w+)\(\) \{\s(.*)\}$/s.exec(command.trim()) ?? [];
    if (name !== undefined && body !== undefined) {
      this.#functions.set(name, body);
      return undefined;
    }
    const requests = this.#run(command, [], 0);
    return requests?.length === 1 ? requests[0] : undefined;
  }

  /**
   * @param {string} text
   * @param {string[]} args
   * @param {number} depth
   * @returns {SendableRequest[] | undefined}
   */
  #run(text, args, depth) {
    /** @type {SendableRequest[]} */
    const requests = [];
    let isKnown = depth < 5;
    for (const pipeline of splitAt(splitShell(text), [';', '\n', '&&'])) {
      const commands = splitAt(pipeline, ['|']);
      const made = isKnown ? this.#runPipeline(commands, args, depth) : undefined;
      // Variables that an unknown command has set are unknown from here on.
      if (made === undefined) this.#forget(pipeline);
      isKnown &&= made !== undefined;
      requests.push(...(made ?? []));
    }
    return isKnown ? requests : undefined;
  }

  /**
   * @param {Token[][]} commands
   * @param {string[]} args
   * @param {number} depth
   * @returns {SendableRequest[] | undefined}
   */
  #runPipeline([first = [], ...others], args, depth) {
    if (!others.every((command) => filters.has(nameOf(command)))) return undefined;
    const tokens = withoutSink(first);
    if (tokens.some((token) => 'operator' in token)) return undefined;
    if (idle.has(nameOf(first))) return [];
    const words = tokens.map((token) => this.#expand(/** @type {Word} */ (token), args));
    if (words.includes(undefined)) return undefined;
    const [name = '', ...rest] = words.flat().map(String);
    const [, variable, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(name) ?? [];
    if (variable !== undefined) {
      this.#variables.set(variable, value);
      return rest.length === 0 ? [] : undefined;
    }
    if (name === 'shift') {
      args.splice(0, Number(rest[0] ?? 1));
      return [];
    }
    if (name === 'curl') {
      const request = sendableRequest(rest);
      return request && [request];
    }
    const body = this.#functions.get(name);
    return body === undefined ? undefined : this.#run(body, rest, depth + 1);
  }

  /**
   * @param {Word} word
   * @param {string[]} args
   * @returns {string[] | undefined}
   */
  #expand({ pieces }, args) {
    const all = pieces.find((piece) => 'name' in piece && piece.name === '@');
    if (all !== undefined)
      return pieces.every((piece) => piece === all || isEmpty(piece)) ? args : undefined;
    let text = '';
    for (const piece of pieces) {
      if ('unknown' in piece) return undefined;
      if ('text' in piece) text += piece.text;
      else {
        const { name, fallback, isQuoted } = piece;
        const value =
          (/^\d$/.test(name) ? args[Number(name) - 1] : this.#variables.get(name)) || fallback;
        if (value === undefined || (!isQuoted && /[\s*?[]/.test(value))) return undefined;
        text += value;
      }
    }
    return [text];
  }

  /** @param {Token[]} tokens */
  #forget(tokens) {
    for (const token of tokens) {
      const [first] = 'pieces' in token ? token.pieces : [];
      const [, name] = first && 'text' in first ? (/^(\w+)=/.exec(first.text) ?? []) : [];
      if (name !== undefined) this.#variables.set(name, undefined);
    }
  }
}

/** @param {import('../../pages/shared/curl/split-shell.js').Piece} piece */
function isEmpty(piece) {
  return 'text' in piece && piece.text === '';
}

/**
 * @param {Token[]} tokens
 * @param {string[]} separators
 * @returns {Token[][]}
 */
function splitAt(tokens, separators) {
  /** @type {Token[][]} */
  const parts = [[]];
  for (const token of tokens) {
    if ('operator' in token && separators.includes(token.operator)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter(({ length }) => length > 0);
}

/**
 * Removes `> file` at the end, because the response is shown instead.
 *
 * @param {Token[]} tokens
 */
function withoutSink(tokens) {
  const sink = tokens.at(-2);
  return sink && 'operator' in sink && sink.operator === '>' ? tokens.slice(0, -2) : tokens;
}

/** @param {Token[]} tokens */
function nameOf([token]) {
  const [first] = token && 'pieces' in token ? token.pieces : [];
  return first && 'text' in first ? first.text : '';
}
