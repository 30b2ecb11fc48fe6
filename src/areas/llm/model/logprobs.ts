/** Log probabilities of tokens, which follow from the text before them. */

import { hash } from 'node:crypto';
import { piecesOf } from './tokens.js';

export interface Logprob {
  readonly token: string;
  readonly logprob: number;
}

export interface TokenLogprob extends Logprob {
  /** Alternatives, the most probable first; the token itself is one of them. */
  readonly top: readonly Logprob[];
}

/** Words of alternatives, in their order. */
const others = 'the of and to in is for that with on as by at from it or an be this are'.split(' ');

const round = (value: number) => Math.round(value * 1e6) / 1e6;

/** Yields the log probability of each token, with this many alternatives. */
export function* logprobsOf(text: string, count: number): Generator<TokenLogprob> {
  let place = 0;
  for (const token of piecesOf(text)) {
    const [first = 0, second = 0] = hash('sha256', `${place++} ${token}`, 'buffer');
    const logprob = round(-first / 1024);
    const rest = others
      .filter((word) => word !== token.trim())
      .map((word, index) => ({
        token: ` ${word}`,
        logprob: round(logprob - 1 - second / 64 - index),
      }));
    yield { token, logprob, top: count === 0 ? [] : [{ token, logprob }, ...rest].slice(0, count) };
  }
}

const withBytes = ({ token, logprob }: Logprob) => {
  return { token, logprob, bytes: [...Buffer.from(token)] };
};

/** Writes the log probabilities of a text, as OpenAI and Ollama do. */
export const writeTokens = (text: string, count: number) =>
  Array.from(logprobsOf(text, count), (each) => ({
    ...withBytes(each),
    top_logprobs: each.top.map(withBytes),
  }));

export type WrittenToken = ReturnType<typeof writeTokens>[number];
