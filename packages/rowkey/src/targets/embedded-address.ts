import type { TableServiceOptions } from '@rowkey/rest'
import { type EmbeddedOptions, embeddedService } from './embedded-service.ts'
import { folderOf } from './folder-of.ts'

/**
 * Returns the address of an embedded service. Its account key authorizes the requests, and also signs
 * shared access signatures.
 *
 * @param target - `memory:`, or `file:` with the folder of the tables
 * @param options - the clock, and the service that it imitates
 * @throws InputError (`InvalidTarget`) for an invalid folder
 */
export function embeddedAddress(
  target: string,
  options: Omit<EmbeddedOptions, 'data'>,
): TableServiceOptions {
  const data = target === 'memory:' ? undefined : folderOf(target)
  const { transport } = embeddedService(data === undefined ? options : { ...options, data })
  return { transport, connectionString: 'UseDevelopmentStorage=true' }
}
