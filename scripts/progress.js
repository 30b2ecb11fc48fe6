/** Tells how far a long run is, and when it will probably end. */

/**
 * @param {string} what Such as `attacks`
 * @param {number} total
 * @param {() => number} [now] Milliseconds
 */
export function progressOf(what, total, now = () => performance.now()) {
  const startedAt = now();
  let done = 0;
  return {
    /** @param {string} name The part that begins */
    begin(name) {
      const spent = now() - startedAt;
      const left = done === 0 ? '' : `, about ${inWords((spent / done) * (total - done))} left`;
      done++;
      return `[${done} of ${total} ${what}${left}] ${name}`;
    },
  };
}

/** @param {number} milliseconds */
function inWords(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
