/** Whatever is asked for is there, and making it up says what to do. */

const anything = new Proxy(
  () => {
    throw new Error('{{$random…}} needs @faker-js/faker, which this package stands for.');
  },
  { get: () => anything },
);

module.exports = anything;
