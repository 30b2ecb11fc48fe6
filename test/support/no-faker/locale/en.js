/** Everything requested exists, and what is made up says what to do. */

const anything = new Proxy(
  () => {
    throw new Error('{{$random…}} needs @faker-js/faker, which this package stands for.');
  },
  { get: () => anything },
);

module.exports = anything;
