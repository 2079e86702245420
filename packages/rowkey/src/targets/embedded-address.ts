import type { TableServiceOptions } from '@rowkey/rest'
import { type EmbeddedOptions, embeddedService } from './embedded-service.ts'

/**
 * Says where an embedded service is and as whom to ask: by its account key, which signs shared access
 * signatures too.
 */
export function embeddedAddress(options: EmbeddedOptions): TableServiceOptions {
  const { transport } = embeddedService(options)
  return { transport, connectionString: 'UseDevelopmentStorage=true' }
}
