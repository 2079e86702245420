import type { Pool } from 'undici'
// @ts-expect-error undici publishes no types for its inner modules
import InnerPool from 'undici/lib/dispatcher/pool.js'

/**
 * undici's connection pool, without the rest of undici: `fetch`, caches and WebSocket would triple
 * what it costs a cold start to load this package. It is the very class that undici exports.
 */
export const UndiciPool: typeof Pool = InnerPool
