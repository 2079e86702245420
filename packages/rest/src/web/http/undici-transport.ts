import { OptionValueError } from '../../errors/option-value-error.ts'
import type { undiciTransport as OnNode } from '../../http/undici-transport.ts'

/**
 * Stands where undici cannot be.
 *
 * @throws {@link OptionValueError} always
 */
export const undiciTransport: typeof OnNode = () => {
  throw new OptionValueError({
    message:
      'undiciTransport needs Node. In browsers and workers use fetchTransport(), which is the default there.',
  })
}
