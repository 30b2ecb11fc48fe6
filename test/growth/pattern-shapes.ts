/** Hostile texts for a regular expression, made from its own parts. */

/** Makes a text of about this many characters. */
export type MakeText = (size: number) => string;

interface Item {
  /** Alternatives of a group; absent for an atom. */
  readonly options?: readonly (readonly Item[])[];
  /** Source of an atom; empty for what consumes nothing. */
  readonly atom: string;
  readonly least: number;
  readonly isUnbounded: boolean;
}

/** Characters that a pattern names come first. */
const mostCharacters = 20;
const mostMatching = 6;
const usual = ' \t\n\ra0Z_-.,;:=/\\"\'<>{}[]()*+?!#%&@|~$^`é\u0301';

/** Returns the texts that could make a pattern start again and again. */
export function hostileTexts(pattern: RegExp): readonly MakeText[] {
  const { sampler, loops } = partsOf(pattern);
  const characters = sampler.characters.slice(0, mostCharacters);
  const pumps = loops.map(({ prefix, item }) => ({
    prefix,
    texts: [sampler.sample(item, true), ...sampler.matching(item)].filter((each) => each !== ''),
  }));
  const shapes: MakeText[] = [];
  const add = (prefix: string, ...parts: readonly string[]) => {
    for (const end of ['', '\u0000']) {
      shapes.push((size) => {
        const share = size / parts.length;
        return (
          prefix + parts.map((part) => part.repeat(Math.ceil(share / part.length))).join('') + end
        );
      });
    }
  };
  for (const text of new Set([...characters, ...pumps.flatMap(({ texts }) => texts)]))
    add('', text);
  for (const { prefix, texts } of pumps) {
    for (const text of texts) {
      if (prefix !== '') add(prefix, text);
      if (prefix !== '') add('', prefix + text);
    }
    if (prefix !== '') add('', prefix);
  }
  pumps.forEach(({ prefix, texts: [first = ''] }, place) => {
    for (const { texts } of pumps.slice(place + 1)) {
      const second = texts[0] ?? '';
      if (first !== '' && second !== '') add(prefix, first, second);
    }
  });
  return shapes;
}

/** Returns whether a pattern has a part that may match any number of characters. */
export function isUnbounded(pattern: RegExp): boolean {
  return partsOf(pattern).loops.length > 0;
}

function partsOf({ source, flags }: RegExp) {
  const items = new Reader(source, flags.includes('u') || flags.includes('v')).read();
  const sampler = new Sampler(flags.replace(/[gy]/g, ''), source);
  return { sampler, loops: loopsOf(items, '', sampler) };
}

interface Loop {
  /** A text that reaches the loop. */
  readonly prefix: string;
  readonly item: Item;
}

function loopsOf(items: readonly Item[], before: string, sampler: Sampler): readonly Loop[] {
  let prefix = before;
  return items.flatMap((item) => {
    const own = item.isUnbounded ? [{ prefix, item }] : [];
    const inner = (item.options ?? []).flatMap((option) => loopsOf(option, prefix, sampler));
    prefix += sampler.sample(item);
    return [...own, ...inner];
  });
}

class Sampler {
  readonly characters: readonly string[];
  readonly #flags: string;
  readonly #known = new Map<string, readonly string[]>();

  constructor(flags: string, source: string) {
    this.#flags = flags;
    this.characters = [...new Set(source.match(/\w|[^\s\w]/gu) ?? []), ...usual];
  }

  /** Returns the shortest text of an item; with `isOnce`, of its content once. */
  sample(item: Item, isOnce = false): string {
    const { options, atom, least } = item;
    const content =
      options === undefined
        ? (this.#matches(atom)[0] ?? '')
        : (options[0] ?? []).map((each) => this.sample(each)).join('');
    return content.repeat(Math.min(isOnce ? 1 : least, 20));
  }

  /** Returns characters that an item may begin with. */
  matching({ options, atom }: Item): readonly string[] {
    if (options === undefined) return this.#matches(atom);
    const texts = options.map((option) => option.map((each) => this.sample(each, true)).join(''));
    return [...texts, ...options.flatMap(([first]) => (first ? this.matching(first) : []))];
  }

  #matches(atom: string): readonly string[] {
    if (atom === '') return [];
    const known = this.#known.get(atom);
    if (known !== undefined) return known;
    const form = new RegExp(`^(?:${atom})$`, this.#flags);
    const found = [...new Set(this.characters)]
      .filter((each) => form.test(each))
      .slice(0, mostMatching);
    this.#known.set(atom, found);
    return found;
  }
}

/** Parses a pattern of JavaScript, as far as the samples need it. */
class Reader {
  readonly #source: string;
  readonly #isUnicode: boolean;
  #at = 0;

  constructor(source: string, isUnicode: boolean) {
    this.#source = source;
    this.#isUnicode = isUnicode;
  }

  read(): readonly Item[] {
    return [{ options: this.#options(), atom: '', least: 1, isUnbounded: false }];
  }

  #options(): Item[][] {
    const options: Item[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#take('|')) options.push([]);
      else options.at(-1)?.push(this.#item());
    }
    return options;
  }

  #item(): Item {
    const group = /^\((?:\?(?:<?[=!]|:|<\w+>|[ims-]+:))?/.exec(this.#rest())?.[0];
    let item: Pick<Item, 'options' | 'atom'>;
    if (group === undefined) item = { atom: this.#atom() };
    else {
      this.#at += group.length;
      const options = this.#options();
      this.#take(')');
      // The content of an assertion is searched too, and consumes nothing.
      item = { options, atom: '' };
    }
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#rest())?.[0] ?? '';
    this.#at += quantifier.length;
    const [, from] = /^\{(\d+)/.exec(quantifier) ?? [];
    const isOptional = quantifier.startsWith('*') || quantifier.startsWith('?');
    return {
      ...item,
      least: Number(from ?? (isOptional ? 0 : 1)),
      isUnbounded: /^(?:[*+]|\{\d+,\})/.test(quantifier),
    };
  }

  #atom(): string {
    const rest = this.#rest();
    if (/^(?:[$^]|\\[bB])/.test(rest)) {
      this.#at += rest.startsWith('\\') ? 2 : 1;
      return '';
    }
    const back = /^\\(?:[1-9]|k<\w+>)/.exec(rest)?.[0];
    if (back !== undefined) {
      this.#at += back.length;
      return '';
    }
    const atom =
      /^(?:\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]+\}|c[a-z]|[\s\S])|\[(?:[^\]\\]|\\[\s\S])*\])/i.exec(
        rest,
      )?.[0] ?? (this.#isUnicode ? String.fromCodePoint(rest.codePointAt(0) ?? 0) : rest.charAt(0));
    this.#at += atom.length;
    return atom;
  }

  #rest(): string {
    return this.#source.slice(this.#at);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
