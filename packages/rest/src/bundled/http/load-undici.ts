import { restInputError } from '../../errors/codes.ts'
import type { loadUndici as Unbundled } from '../../http/load-undici.ts'

/**
 * Loads nothing: undici would nearly double a bundle, so it is there only when the program names `undiciTransport`. The
 * default transport then sends everything by `node:http`, which has no proxies.
 *
 * @throws InputError (`MissingDependency`) always
 */
export const loadUndici: typeof Unbundled = async () => {
  throw restInputError({
    code: 'MissingDependency',
    message:
      'Requests through a proxy need undici, which is not in this bundle. Nothing was sent. Pass ' +
      '`transport: undiciTransport()`, or `{ proxy: false }` in its options to use no proxy.',
  })
}
