/**
 * Measures how the cost of a function grows with the size of its input, as an exponent: about 1 for n, 1.1 for
 * n log n, 2 for n². Costs are processor time and compared only with each other, so a busy machine changes nothing.
 */

export interface Growing<Input> {
  /** Makes the input of a size: characters, items, levels, or what grows. */
  readonly make: (size: number) => Input;
  /** Does the work. A result that is a promise is awaited. */
  readonly run: (input: Input) => unknown;
  /** The largest size to try: the limit of the input, where it has one. */
  readonly largest: number;
}

/** Lies between n log n and n², far from both. */
export const maxExponent = 1.6;

/** The largest size is this many times the smallest. */
const factor = 8;
/** The middle size shows cost that begins to grow late. */
const steps = [1 / factor, 1 / Math.sqrt(factor), 1];
const rounds = 3;
/** Cheap work is repeated until it takes at least this long. */
const minSampleMs = 4;
const maxRepeats = 1000;
/** A disturbed measurement can only be too high once by chance: the lowest of several counts. */
const attempts = 8;

/** Returns the exponent; stops measuring as soon as it is at most {@link maxExponent}. */
export async function growthOf<Input>(growing: Growing<Input>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && lowest > maxExponent; attempt++) {
    lowest = Math.min(lowest, await measureOnce(growing));
  }
  return lowest;
}

async function measureOnce<Input>({ make, run, largest }: Growing<Input>): Promise<number> {
  const sizes = steps.map((step) => Math.max(1, Math.round(largest * step)));
  // Each size has as many inputs as fill the same memory: small ones alone would fit a processor's cache.
  const inputs = sizes.map((size) =>
    Array.from({ length: Math.round(largest / size) }, () => make(size)),
  );
  const repeats: number[] = [];
  // The first runs compile the code.
  for (const each of inputs) repeats.push(await repeatsFor(each, run));
  const costs: number[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, each] of inputs.entries()) {
      costs[index]?.push(await costOf(each, run, repeats[index] ?? 1));
    }
  }
  const medians = costs.map((each) => Math.max(median(each), 1e-6));
  return Math.max(exponent(sizes, medians, 0, 2), exponent(sizes, medians, 1, 2));
}

async function repeatsFor<Input>(
  inputs: readonly Input[],
  run: Growing<Input>['run'],
): Promise<number> {
  let repeats = 1;
  const enough = minSampleMs / inputs.length;
  while (repeats < maxRepeats && (await costOf(inputs, run, repeats)) * repeats < enough) {
    repeats *= 2;
  }
  return repeats;
}

/** Processor time of a run with one input, in ms. */
async function costOf<Input>(
  inputs: readonly Input[],
  run: Growing<Input>['run'],
  repeats: number,
): Promise<number> {
  const before = process.cpuUsage();
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const input of inputs) {
      const result = run(input);
      if (result instanceof Promise) await result;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeats / inputs.length;
}

function exponent(
  sizes: readonly number[],
  costs: readonly number[],
  from: number,
  to: number,
): number {
  const growth = (values: readonly number[]) => Math.log((values[to] ?? 0) / (values[from] ?? 1));
  return growth(costs) / growth(sizes);
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
