/**
 * Measures how the cost of a function grows with the size of its input, as an exponent: about 1 for
 * n, 1.1 for n log n, 2 for n². Costs are processor time and compared only with each other, so a
 * busy machine changes nothing.
 */

export interface Growing<Input> {
  /** Makes the input of a size: characters, items, levels, or another unit. */
  readonly make: (size: number) => Input;
  /** Does the work. A result that is a promise is awaited. */
  readonly run: (input: Input) => unknown;
  /** The largest size to try: the limit of the input, if any. */
  readonly largest: number;
}

/**
 * Between n log n and n². A way for long inputs that costs three times as much per byte as the one
 * for short inputs reads as 1.67, and is no growth.
 */
export const maxExponent = 1.7;
/** An exponent up to this one is so far from n² that no further round is needed. */
const clearExponent = 1.3;

/** The largest size is this many times the smallest. */
const factor = 27;
/** The middle size shows cost that begins to grow late. */
const steps = [1 / factor, 1 / Math.sqrt(factor), 1];
const maxRounds = 3;
/** Cheap work is repeated for at least this time. */
const minSampleMs = 4;
const maxRepeats = 1000;
/** Disturbances can only raise a measurement: the lowest of several counts. */
const attempts = 8;

/** Returns the exponent; stops measuring once it is at most {@link maxExponent}. */
export async function growthOf<Input>(growing: Growing<Input>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && lowest > maxExponent; attempt++) {
    lowest = Math.min(lowest, await measureOnce(growing));
  }
  return lowest;
}

async function measureOnce<Input>({ make, run, largest }: Growing<Input>): Promise<number> {
  const sizes = steps.map((step) => Math.max(1, Math.round(largest * step)));
  // Each size has enough inputs to fill the same memory: a few small ones would fit a processor's
  // cache.
  const samples = sizes.map((size) => ({
    size,
    inputs: Array.from({ length: Math.round(largest / size) }, () => make(size)),
    repeats: 1,
    cost: Number.POSITIVE_INFINITY,
  }));
  // The first runs compile the code. The largest size is first, so that this cannot hide its
  // growth.
  for (const sample of [...samples].reverse()) {
    Object.assign(sample, await firstCost(sample.inputs, run));
  }
  // Disturbances make a run cost more, never less: the lowest cost of each size counts.
  for (let round = 0; round < maxRounds; round++) {
    // After one round, since the first cost of a size may include code that is not compiled yet.
    if (round > 0 && maxGrowth(samples) <= clearExponent) break;
    for (const sample of samples) {
      sample.cost = Math.min(sample.cost, await costOf(sample.inputs, run, sample.repeats));
    }
  }
  return maxGrowth(samples);
}

interface Sample {
  readonly size: number;
  readonly cost: number;
}

/**
 * Returns the higher of the exponents from the smallest and from the middle size to the largest.
 */
function maxGrowth(samples: readonly Sample[]): number {
  const largest = samples.at(-1);
  return Math.max(...samples.slice(0, -1).map((sample) => exponent(sample, largest ?? sample)));
}

function exponent(small: Sample, large: Sample): number {
  const cost = Math.max(large.cost, 1e-6) / Math.max(small.cost, 1e-6);
  return Math.log(cost) / Math.log(large.size / small.size);
}

/** Doubles the number of runs until they are long enough. */
async function firstCost<Input>(
  inputs: readonly Input[],
  run: Growing<Input>['run'],
): Promise<{ readonly repeats: number; readonly cost: number }> {
  const enough = minSampleMs / inputs.length;
  for (let repeats = 1; ; repeats *= 2) {
    const cost = await costOf(inputs, run, repeats);
    if (repeats >= maxRepeats || cost * repeats >= enough) return { repeats, cost };
  }
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
