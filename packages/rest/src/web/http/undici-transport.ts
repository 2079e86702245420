import { invalidOption } from '@rowkey/odata'
import type { undiciTransport as OnNode } from '../../http/undici-transport.ts'

/**
 * Replaces the Transport of Node in browsers and workers.
 *
 * @throws `InputError` (`InvalidOptionValue`) always
 */
export const undiciTransport: typeof OnNode = () => {
  throw invalidOption(
    'undiciTransport needs Node. Use fetchTransport() in browsers and workers; it is the default there.',
  )
}
