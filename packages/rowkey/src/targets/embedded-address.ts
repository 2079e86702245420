import type { TableServiceOptions } from '@rowkey/rest'
import { type EmbeddedOptions, embeddedService } from './embedded-service.ts'

/**
 * Returns the address of an embedded service. Its account key authorizes the requests, and also signs
 * shared access signatures.
 */
export function embeddedAddress(options: EmbeddedOptions): TableServiceOptions {
  const { transport } = embeddedService(options)
  return { transport, connectionString: 'UseDevelopmentStorage=true' }
}
