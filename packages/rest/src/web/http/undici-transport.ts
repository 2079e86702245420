import { restInputError } from '../../errors/codes.ts'

import type { undiciTransport as OnNode } from '../../http/undici-transport.ts'

/**
 * Stands where undici cannot be.
 *
 * @throws {@link InputError} (`InvalidOptionValue`) always
 */
export const undiciTransport: typeof OnNode = () => {
  throw restInputError({
    code: 'InvalidOptionValue',
    message:
      'undiciTransport needs Node. In browsers and workers use fetchTransport(), which is the default there.',
  })
}
