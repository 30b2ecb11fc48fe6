import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { drawChart } from '../../lab/bench/draw-chart.js';

const figures = { requestsPerSecond: 100, residentMebibytes: 50, startMs: 200 };
const ours = { contender: 'ours', ratio: 1, spread: [1, 1] as [number, number], ...figures };

function score(contender: string, ratio: number, spread: [number, number]) {
  return { contender, ratio, spread, ...figures };
}

const suites = [
  {
    suite: 'first',
    cases: [
      {
        name: 'GET /a?b=1&c=<2>',
        scores: [ours, score('a floor', 0.8, [0.75, 0.9]), score('a peer', 12, [11, 13])],
      },
      { name: 'without peers', scores: [ours] },
    ],
  },
  {
    suite: 'second',
    cases: [{ name: 'POST /x', scores: [ours, score('an equal', 1, [0.5, 2])] }],
  },
];

/** Returns the text of every element of that name; fails on markup that is not well-formed. */
function textsOf(svg: string): { elements: string[]; texts: string[] } {
  const elements: string[] = [];
  const texts: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, uri }) => {
    expect(uri).toBe('http://www.w3.org/2000/svg');
    elements.push(name);
  });
  parser.on('text', (text) => texts.push(text));
  parser.write(svg).close();
  return { elements, texts };
}

test('every case that has competitors appears, with each of them', () => {
  const { texts } = textsOf(drawChart(suites));
  for (const expected of ['first', 'GET /a?b=1&c=<2>', 'a floor', '0.80×', 'a peer', '12.0×']) {
    expect(texts).toContain(expected);
  }
  for (const expected of ['second', 'POST /x', 'an equal', '1.00×']) {
    expect(texts).toContain(expected);
  }
  expect(texts).not.toContain('without peers');
});

test('bars and spreads stay inside the image, whatever the ratios', () => {
  const extreme = score('far', 900, [0.001, 5000]);
  const svg = drawChart([{ suite: 's', cases: [{ name: 'c', scores: [ours, extreme] }] }]);
  const numbers = [...svg.matchAll(/(?:M|H| x="| width=")(-?[\d.]+)/g)].map(([, n]) => Number(n));
  expect(numbers.length).toBeGreaterThan(8);
  for (const number of numbers) {
    expect(number).toBeGreaterThanOrEqual(0);
    expect(number).toBeLessThanOrEqual(960);
  }
});

test('a chart without cases is still an image', () => {
  expect(textsOf(drawChart([])).elements).toContain('svg');
});
