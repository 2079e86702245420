import { rowkeyInputError } from '../../errors/codes.ts'
import type { embeddedAddress as OnNode } from '../../targets/embedded-address.ts'
import { embeddedService } from '../../targets/embedded-service.ts'

/**
 * Returns the address of an embedded service in memory. A credential of the service authorizes the
 * requests, because browsers and workers have no account keys.
 *
 * @throws InputError (`InvalidTarget`) for a folder
 */
export const embeddedAddress: typeof OnNode = (target, options) => {
  if (target !== 'memory:') {
    throw rowkeyInputError({
      code: 'InvalidTarget',
      message:
        "connect('file:…') needs a file system, which browsers and workers do not have. Use 'memory:', " +
        'or the endpoint of `npx rowkey serve --data <folder>`.',
    })
  }
  return { ...embeddedService(options), endpoint: 'http://localhost/devstoreaccount1' }
}
