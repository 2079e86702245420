import { rowkeyInputError } from '../../errors/codes.ts'
import type { embeddedAddress as OnNode } from '../../targets/embedded-address.ts'
import { embeddedService } from '../../targets/embedded-service.ts'

/**
 * Says where an embedded service in memory is and as whom to ask: by a credential of the service's own,
 * since browsers and workers take no account keys.
 *
 * @throws InputError (`InvalidTarget`) for a folder
 */
export const embeddedAddress: typeof OnNode = (options) => {
  if (options.data !== undefined) {
    throw rowkeyInputError({
      code: 'InvalidTarget',
      message:
        "connect('file:…') needs a file system, which browsers and workers do not have. Use 'memory:', " +
        'or an endpoint with a SasCredential, such as that of `npx rowkey serve --data <folder>`.',
    })
  }
  return { ...embeddedService(options), endpoint: 'http://localhost/devstoreaccount1' }
}
