import { partNotLoaded } from '../errors/part-not-loaded.ts'
import { DEFAULT_CONNECTION_SETTINGS, type Dispatchers } from './dispatcher-transport.ts'

/**
 * Loads undici for the default transport.
 *
 * @throws InputError (`PartNotLoaded`) when it is not installed
 */
export async function loadUndici(): Promise<Dispatchers> {
  const { loadUndiciPool, UndiciPools } = await import('./undici-pools.ts').catch(partNotLoaded)
  await loadUndiciPool()
  return new UndiciPools(DEFAULT_CONNECTION_SETTINGS)
}
