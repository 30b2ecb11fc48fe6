/** The collections of DummyJSON, and what relates them. */

import type { Item } from '../dialect/collection.js';
import { collection } from '../dialect/collection.js';
import { collectionsOf } from '../dialect/declare.js';
import { Choices } from '../dialect/generate.js';

type Name = 'products' | 'recipes' | 'users' | 'posts' | 'comments' | 'todos' | 'quotes';

const { comments, ...declared } = collectionsOf<Name>('dummyjson');

export const authorOf = ({ id, username, firstName, lastName }: Item) => ({
  id,
  username,
  fullName: `${firstName} ${lastName}`,
});

export interface Wanted {
  readonly product: Item;
  readonly quantity: number;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Returns a cart with its totals. `discounted` is the member with the discounted price of a product. */
export function cartOf(id: number, userId: unknown, wanted: readonly Wanted[], discounted: string) {
  const products = wanted.map(({ product, quantity }) => {
    const { id: productId, title, price, discountPercentage, thumbnail } = product;
    const total = Number(price) * quantity;
    const reduced = total * (1 - Number(discountPercentage) / 100);
    const shown = discounted === 'discountedPrice' ? Math.round(reduced) : rounded(reduced);
    return {
      ...{ id: productId, title, price, quantity, total: rounded(total), discountPercentage },
      ...{ [discounted]: shown, thumbnail },
    };
  });
  const sum = (member: string) =>
    rounded(
      products.reduce(
        (all, each) => all + Number((each as Readonly<Record<string, unknown>>)[member]),
        0,
      ),
    );
  return {
    ...{ id, products, total: sum('total'), discountedTotal: sum(discounted), userId },
    ...{ totalProducts: products.length, totalQuantity: sum('quantity') },
  };
}

const cartCount = 208;

export const collections = {
  ...declared,
  comments: collection('dummyjson-comments', () =>
    comments.dataset().rows.map((comment) => {
      const { id } = comment.user as Item;
      return { ...comment, user: authorOf(declared.users.dataset().find(id) as Item) };
    }),
  ),
  carts: collection('dummyjson-carts', () =>
    Array.from({ length: cartCount }, (_, place) => {
      const choices = new Choices(`dummyjson-carts ${place}`);
      const chosen = choices.some(declared.products.dataset().rows, choices.int(1, 6));
      const wanted = chosen.map((product) => ({ product, quantity: choices.int(1, 5) }));
      return cartOf(place + 1, place + 1, wanted, 'discountedTotal');
    }),
  ),
};
