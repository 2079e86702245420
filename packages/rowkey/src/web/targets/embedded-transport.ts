import { rowkeyInputError } from '../../errors/codes.ts'
import type { embeddedTransport as OnNode } from '../../targets/embedded-transport.ts'

/**
 * Stands in for the embedded service where it does not run.
 *
 * @throws InputError (`InvalidTarget`) always
 */
export const embeddedTransport: typeof OnNode = ({ data }) => {
  throw rowkeyInputError({
    code: 'InvalidTarget',
    message:
      data === undefined
        ? "connect('memory:') needs Node, Bun or Deno. In browsers and workers use an endpoint with a " +
          'SasCredential or a BearerCredential, such as that of `npx rowkey serve`.'
        : "connect('file:…') needs a file system, which browsers and workers do not have. Use an endpoint " +
          'with a SasCredential or a BearerCredential, such as that of `npx rowkey serve --data <folder>`.',
  })
}
