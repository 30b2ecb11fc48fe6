/** Data in the shapes that users of json-server have; the content is ours. */

const address = (city: string) => ({
  street: 'Quay 4',
  suite: 'Apt. 5',
  city,
  zipcode: '10115',
  geo: { lat: '52.5', lng: '13.4' },
});

/** The relations of a collection, and requests for it. */
export const shapes: readonly (readonly [
  name: string,
  data: Readonly<Record<string, unknown>>,
  path: string,
  answer: unknown,
])[] = [
  [
    'the first example of json-server 0.17',
    {
      posts: [{ id: 1, title: 'A first post', author: 'ada' }],
      comments: [{ id: 1, body: 'a comment', postId: 1 }],
      profile: { name: 'ada' },
    },
    '/my/posts/1/comments',
    [{ id: 1, body: 'a comment', postId: 1 }],
  ],
  [
    'the first example of json-server 1',
    {
      $schema: './node_modules/json-server/schema.json',
      posts: [
        { id: '1', title: 'one', views: 100 },
        { id: '2', title: 'two', views: 200 },
      ],
      comments: [
        { id: '1', text: 'about one', postId: '1' },
        { id: '2', text: 'about one, too', postId: '1' },
      ],
      profile: { name: 'ada' },
    },
    '/my/posts?embed=comments&views_gt=100&fields=id',
    [{ id: '2', comments: [] }],
  ],
  [
    'JSONPlaceholder',
    {
      users: [
        {
          id: 1,
          name: 'Ada Lovelace',
          username: 'Ada',
          email: 'ada@example.com',
          address: address('Berlin'),
          phone: '1-770',
          website: 'example.com',
          company: { name: 'Engines', catchPhrase: 'Notes on notes', bs: 'analyse' },
        },
      ],
      posts: [{ userId: 1, id: 1, title: 'a title', body: 'two\nlines' }],
      comments: [{ postId: 1, id: 1, name: 'a name', email: 'b@example.com', body: 'hm' }],
      albums: [{ userId: 1, id: 1, title: 'an album' }],
      photos: [
        {
          albumId: 1,
          id: 1,
          title: 'p',
          url: 'https://example.com/1',
          thumbnailUrl: 'https://example.com/t',
        },
      ],
      todos: [{ userId: 1, id: 1, title: 'do', completed: false }],
    },
    '/my/users?address.geo.lat=52.5&fields=name',
    [{ name: 'Ada Lovelace' }],
  ],
  [
    'a restaurant of a well-known course, with comments inside dishes',
    {
      dishes: [
        {
          id: 0,
          name: 'Soup',
          image: 'images/soup.png',
          category: 'mains',
          label: 'Hot',
          price: '4.99',
          featured: true,
          comments: [
            {
              id: 0,
              rating: 5,
              comment: 'Warm',
              author: 'Bo',
              date: '2012-10-16T17:57:28.556094Z',
            },
          ],
        },
      ],
      promotions: [{ id: 0, name: 'Weekend', featured: true, price: '19.99' }],
      leaders: [{ id: 0, name: 'Ada', abbr: 'CEO', featured: false }],
      feedback: [],
    },
    '/my/dishes?featured=true&q=warm&fields=id,name',
    [{ id: 0, name: 'Soup' }],
  ],
  [
    'a blog of a well-known course, with ids from json-server',
    {
      blogs: [
        { title: 'Welcome', body: 'Text', author: 'mario', id: 1 },
        { title: 'Second', body: 'Text', author: 'luigi', id: 'Zk3x_-a' },
      ],
    },
    '/my/blogs/Zk3x_-a',
    { title: 'Second', body: 'Text', author: 'luigi', id: 'Zk3x_-a' },
  ],
];
