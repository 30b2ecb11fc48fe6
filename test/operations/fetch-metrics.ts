/** Reads /metrics as a scraper would. */

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

const sampleLine = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const labelPair = /(\w+)="([^"]*)"/g;

export async function fetchMetrics(serviceUrl: string) {
  const text = await (await fetch(`${serviceUrl}/metrics`)).text();
  const all: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, name, pairs = '', value] = sampleLine.exec(line) ?? [];
    if (name === undefined) continue;
    const labels = Object.fromEntries(
      [...pairs.matchAll(labelPair)].map(([, label, labelled]) => [label, labelled]),
    );
    all.push({ name, labels, value: Number(value) });
  }

  const samples = (name: string, labels: Labels = {}): number[] =>
    all.filter((each) => each.name === name && hasLabels(each, labels)).map(({ value }) => value);
  return {
    text,
    samples,
    /** The first sample that has these labels, perhaps among others. */
    sample: (name: string, labels?: Labels): number | undefined => samples(name, labels)[0],
    labels: (name: string): Labels[] =>
      all.filter((each) => each.name === name).map(({ labels }) => labels),
  };
}

function hasLabels({ labels }: Sample, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
