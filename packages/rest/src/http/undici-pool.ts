import { InputError } from '@rowkey/odata'
import type { Pool } from 'undici'

/** The class that undici exports, which makes pools. */
export type PoolClass = typeof Pool

// @ts-expect-error undici publishes no types for its inner modules
const importPool = (): Promise<{ default: PoolClass }> => import('undici/lib/dispatcher/pool.js')

/**
 * Makes a loader of undici's connection pool, which caches what it has loaded.
 *
 * @param load - imports the module
 */
export function poolLoader(load: typeof importPool = importPool): () => Promise<PoolClass> {
  let poolClass: PoolClass | undefined
  return async () => {
    try {
      poolClass ??= (await load()).default
      return poolClass
    } catch (cause) {
      throw new InputError({
        code: 'PartNotLoaded',
        message:
          'undici, which sends requests on Node, could not be loaded. Nothing was sent. Install it ' +
          'beside @rowkey/rest and let the bundler include it, or pass `transport: fetchTransport()`.',
        cause,
      })
    }
  }
}

/**
 * Loads undici's connection pool without the rest of undici: `fetch`, caches and WebSocket would triple
 * the cost. It is the very class that undici exports.
 *
 * It is loaded when the first connection is needed, so that programs with another transport and the
 * embedded service start without it.
 *
 * @throws InputError (`PartNotLoaded`) when undici is not installed or was left out of a bundle. It is
 * never retried.
 */
export const loadUndiciPool: () => Promise<PoolClass> = poolLoader()
