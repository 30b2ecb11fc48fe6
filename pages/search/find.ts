/** Finds places by words: titles and whole words first, with the line that contains the words. */

import leven from 'leven';

/** Written by the build, read by the page. */
export interface SearchFile {
  readonly pages: readonly (readonly [name: string, title: string, words: string])[];
  readonly sections: readonly (readonly [page: number, id: string, title: string, text: string])[];
  readonly messages: readonly (readonly [page: number, message: string])[];
  readonly settings: readonly (readonly [names: string, meaning: string])[];
}

/** From the service: endpoints by area. */
export type ListedEndpoints = Readonly<
  Record<
    string,
    readonly {
      readonly methods: readonly string[];
      readonly path: string;
      readonly summary: string;
      readonly operationId?: string;
    }[]
  >
>;

export interface Found {
  readonly title: string;
  /** The page that contains it, or its kind. */
  readonly where: string;
  /** From the root of the service. */
  readonly path: string;
  /** The part of the text that contains the words, in pieces; each second one is a word. */
  readonly line: readonly string[];
}

export interface Outcome {
  readonly found: readonly Found[];
  /** Whether every place has all words. */
  readonly isWhole: boolean;
  /** Known words that are similar to an unknown one. */
  readonly similar: readonly string[];
}

interface Place {
  readonly title: string;
  readonly where: string;
  readonly path: string;
  readonly text: string;
  /** Weight of its kind. */
  readonly weight: number;
  /** In the form of {@link plain}. */
  readonly inTitle: string;
  readonly inPage: string;
  readonly inWords: string;
  readonly inText: string;
  /** All sections of a guide; empty for other places. */
  readonly inGuide: string;
  /** All of them. */
  readonly inAny: string;
}

export type Search = (text: string) => Outcome;

/** A method, or a part of a path, by which people search endpoints. */
const address = /^\s*(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s|\w\/|\/\w/i;

const maxFound = 100;

/** Pages of figures, whose headings are names of everything. */
const isOfFigures = (name: string) => /^(?:benchmarks|robustness)$|conformance$/.test(name);
const weightOfFigures = 0.3;

/** A guide that has a word only in its sections comes after places that have all words themselves. */
const shareElsewhere = 0.6;

/** A pasted message can be long; more words find nothing better. */
const maxCharacters = 300;

/** Pages that are not guides. */
export const tools = [
  ['API reference', '/docs', 'swagger openapi endpoints explorer try operations reference'],
  ['GraphQL editor', '/graphql', 'graphiql playground apollo query explorer'],
  [
    'Webhook bins',
    '/bins',
    'requestbin bin inspector capture webhook inspect deliveries subscriptions',
  ],
  ['Challenges', '/challenges', 'challenge task exercise practise learn hints points'],
  ['Explore and report', '/explore', 'bug hunting exploratory testing defects report'],
  ['Real time', '/realtime', 'sse websocket events live subscription'],
  ['Class', '/class', 'class classroom teacher pupils students join code board'],
  [
    'Log in with OpenID Connect',
    '/oidc',
    'oidc openid login demo tokens mock-oauth2 mock-oauth2-server',
  ],
  ['Verdicts', '/verdicts', 'verdict judge rules findings outcomes evidence test plan report'],
  ['Model Context Protocol', '/mcp', 'mcp test plan findings tools'],
  ['Language models', '/llm', 'llm ai openai anthropic gemini google ollama base url key prompt'],
  ['Payments', '/payments', 'stripe checkout card test cards keys sdk'],
  ['gRPC', '/grpc', 'grpc grpcurl protobuf proto connect methods call'],
  ['Your own data', '/my', 'own data db json collections'],
  ['Passkeys', '/api/auth/passkeys', 'passkey webauthn fido'],
  ['Account', '/account', 'account key sign up quota usage'],
  ['Certificates', '/tls', 'tls https certificate authority download'],
  ['All guides', '/guides', 'documentation docs help guides lessons manual'],
  ['Downloads', '/downloads', 'postman collection http file bruno download import'],
] as const;

export function searchIn(file: SearchFile, endpoints: ListedEndpoints = {}): Search {
  const places = placesOf(file, endpoints);
  const vocabulary = [
    ...new Set(places.flatMap(({ inTitle, inWords }) => `${inTitle}${inWords}`.split(' '))),
  ].filter((word) => word.length > 2);
  return (entered) => {
    const text = entered.slice(0, maxCharacters);
    const words = text
      .split(/\s+/)
      .map(plain)
      .filter((word) => word.trim() !== '');
    if (words.length === 0) return { found: [], isWhole: true, similar: [] };
    const phrase = plain(text);
    const isAddress = address.test(text);
    const rated = places
      .map((place) => ({ place, ...rate(place, words, phrase, isAddress) }))
      .filter(({ count }) => count > 0);
    const most = rated.reduce((max, { count }) => Math.max(max, count), 0);
    const best = rated.filter(({ count }) => count === most).sort((a, b) => b.score - a.score);
    return {
      found: spread(best.map(({ place }) => place))
        .slice(0, maxFound)
        .map((each) => foundAt(each, words)),
      isWhole: most === words.length,
      similar: most === words.length ? [] : similarTo(words, vocabulary),
    };
  };
}

function placesOf({ pages, sections, messages, settings }: SearchFile, endpoints: ListedEndpoints) {
  const titleOf = (page: number) => pages[page]?.[1] ?? '';
  const nameOf = (page: number) => pages[page]?.[0] ?? '';
  const guides = new Map<number, string>();
  for (const [page, , title, text] of sections) {
    guides.set(page, `${guides.get(page) ?? ''} ${title} ${text}`);
  }
  return [
    ...tools.map(([title, path, words]) => place(title, 'Page', path, { words, weight: 0.9 })),
    ...sections.map(([page, id, title, text]) =>
      id === ''
        ? place(title, 'Guide', `/guides/${nameOf(page)}`, {
            text,
            words: pages[page]?.[2] ?? '',
            guide: guides.get(page) ?? '',
            weight: isOfFigures(nameOf(page)) ? weightOfFigures : 1.5,
          })
        : place(title, titleOf(page), `/guides/${nameOf(page)}#${id}`, {
            text,
            weight: isOfFigures(nameOf(page)) ? weightOfFigures : 1,
          }),
    ),
    ...messages.map(([page, message]) => {
      const path = `/guides/${nameOf(page)}#what-each-failure-means`;
      return place(message, titleOf(page), path, { weight: 0.5 });
    }),
    ...settings.map(([names, meaning]) => {
      const options = { text: meaning, weight: 0.8 };
      return place(names, 'Settings', '/guides/configuration', options);
    }),
    ...Object.entries(endpoints).flatMap(([area, listed]) =>
      listed.map(({ methods, path, summary, operationId }) => {
        const title = `${methods.join(', ')} ${path}`;
        const at = operationId === undefined ? path : `/docs#/${area}/${operationId}`;
        return place(title, 'Endpoint', at, { text: summary, weight: 0.4 });
      }),
    ),
  ];
}

interface PlaceOptions {
  readonly text?: string;
  readonly words?: string;
  readonly guide?: string;
  readonly weight: number;
}

function place(
  title: string,
  where: string,
  path: string,
  { text = '', words = '', guide = '', weight }: PlaceOptions,
): Place {
  const inPage = /^(?:Guide|Page|Endpoint)$/.test(where) ? '' : plain(where);
  const all = {
    ...{ inTitle: plain(title), inPage, inWords: plain(words) },
    ...{ inText: plain(text), inGuide: plain(guide) },
  };
  return { title, where, path, text, weight, ...all, inAny: Object.values(all).join('') };
}

/** Returns words in lower case, each between spaces. */
function plain(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}

function rate(
  { where, path, inTitle, inPage, inWords, inText, inGuide, inAny, weight }: Place,
  words: readonly string[],
  phrase: string,
  isAddress: boolean,
): { count: number; score: number } {
  let count = 0;
  let score = 0;
  let share = 1;
  for (const word of words) {
    if (!inAny.includes(leastOf(word))) continue;
    const length = inTitle.split(' ').length - 2;
    const ofWord =
      degree(inTitle, word) * (24 / Math.sqrt(length)) +
      degree(inWords, word) * 20 +
      degree(inPage, word) * 6 +
      degree(inText, word) * 5;
    const isElsewhere = ofWord === 0 && inGuide.includes(word);
    if (ofWord > 0 || isElsewhere) count += 1;
    if (isElsewhere) share = shareElsewhere;
    score += ofWord;
  }
  if (words.length > 1 && inTitle.includes(phrase)) score += 30;
  if (words.length > 1 && inText.includes(phrase)) score += 8;
  if (inTitle === phrase) score += 40;
  // Its folder may have guides with shorter titles.
  if (path === `/guides/${phrase.trim()}`) score += 20;
  return { count, score: score * share * (isAddress && where === 'Endpoint' ? 2 : weight) };
}

/** Returns what a text with a {@link degree} above 0 contains. */
function leastOf(word: string): string {
  const stem = word.trimEnd().replace(/s$/, '');
  return word.length > 6 ? stem.trimStart() : stem;
}

/** 1 for a whole word, less for its beginning or for a part. */
function degree(text: string, word: string): number {
  if (text === '') return 0;
  const bare = word.trimEnd();
  if (text.includes(word) || text.includes(`${bare}s `)) return 1;
  if (bare.endsWith('s') && text.includes(`${bare.slice(0, -1)} `)) return 0.9;
  if (bare.length > 3 && text.includes(bare)) return 0.5;
  return bare.length > 4 && text.includes(bare.trimStart()) ? 0.2 : 0;
}

const maxOfPage = 2;

/** Puts the third and later places of a page after the others. */
function spread(places: readonly Place[]): Place[] {
  const counts = new Map<string, number>();
  const [first, later]: [Place[], Place[]] = [[], []];
  for (const each of places) {
    const [page = ''] = each.path.split('#');
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    (count <= maxOfPage ? first : later).push(each);
  }
  return [...first, ...later];
}

const charactersBefore = 40;
const charactersAround = 140;

function foundAt({ title, where, path, text }: Place, words: readonly string[]): Found {
  const escaped = words.map((word) => word.trim().replaceAll(' ', '[^\\p{L}\\p{N}_]+'));
  const form = new RegExp(`(?<![\\p{L}\\p{N}_])(${escaped.join('|')})`, 'iu');
  const at = Math.max(form.exec(text)?.index ?? 0, 0);
  const from = at <= charactersBefore ? 0 : text.indexOf(' ', at - charactersBefore) + 1;
  const end =
    text.length - from <= charactersAround
      ? text.length
      : text.lastIndexOf(' ', from + charactersAround);
  const part = `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
  return { title, where, path, line: part.split(new RegExp(form.source, 'giu')) };
}

function similarTo(words: readonly string[], vocabulary: readonly string[]): string[] {
  const rated = words.flatMap((word) => {
    const bare = word.trim();
    const most = Math.max(1, Math.floor(bare.length / 3));
    return vocabulary
      .map((known) => ({ known, slips: leven(bare, known, { maxDistance: most + 1 }) }))
      .filter(({ slips }) => slips > 0 && slips <= most);
  });
  const sorted = rated.sort((a, b) => a.slips - b.slips).map(({ known }) => known);
  return [...new Set(sorted)].slice(0, 3);
}
