import type { Pool } from 'undici'

/** How a pool is made: the class that undici exports. */
export type PoolClass = typeof Pool

let poolClass: Promise<PoolClass> | undefined

/**
 * undici's connection pool, without the rest of undici: `fetch`, caches and WebSocket would triple
 * what it costs to load. It is the very class that undici exports.
 *
 * It is loaded when the first connection is needed: whoever brings another transport, and the embedded
 * service, start without it.
 */
export function loadUndiciPool(): Promise<PoolClass> {
  // @ts-expect-error undici publishes no types for its inner modules
  poolClass ??= import('undici/lib/dispatcher/pool.js').then(({ default: Pool }) => Pool)
  return poolClass
}
