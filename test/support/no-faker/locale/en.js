/** Provides every requested function, and explains how to install the real one. */

const anything = new Proxy(
  () => {
    throw new Error('{{$random…}} needs @faker-js/faker, which this package stands for.');
  },
  { get: () => anything },
);

module.exports = anything;
