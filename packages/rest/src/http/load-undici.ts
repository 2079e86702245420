import { DEFAULT_CONNECTION_SETTINGS, type Dispatchers } from './dispatcher-transport.ts'

/**
 * Loads undici for the default transport.
 *
 * @throws InputError (`MissingDependency`) when it is not installed
 */
export async function loadUndici(): Promise<Dispatchers> {
  const { loadUndiciPool, UndiciPools } = await import('./undici-pools.ts')
  await loadUndiciPool()
  return new UndiciPools(DEFAULT_CONNECTION_SETTINGS)
}
