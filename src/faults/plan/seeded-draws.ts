/** Random numbers that are the same for the same seed, rule and request, in every process. */

import { type Delay, maxDelayMs } from './fault-plan.js';

/** From 0 to below 1. */
export type Draw = () => number;

export function drawsAt(seed: number, rule: number, index: number): Draw {
  let state = mix(mix(mix(seed) + rule) + index);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** Spreads 32 bits over 32 bits: the finalizer of MurmurHash3. */
function mix(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The 99th percentile of the standard normal distribution. */
const deviationsToP99 = 2.3263478740408408;

/** Returns a delay in whole milliseconds, at most {@link maxDelayMs}. */
export function drawDelayMs(delay: Delay, draw: Draw): number {
  return Math.round(Math.min(maxDelayMs, exactDelayMs(delay, draw)));
}

function exactDelayMs(delay: Delay, draw: Draw): number {
  if (typeof delay === 'number') return delay;
  if ('min' in delay) return delay.min + draw() * (delay.max - delay.min);
  const { median, p99 } = delay;
  return median * (p99 / median) ** (drawNormal(draw) / deviationsToP99);
}

/** Returns a standard normal value by the Box-Muller method. */
function drawNormal(draw: Draw): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draw()));
  return radius * Math.cos(2 * Math.PI * draw());
}
