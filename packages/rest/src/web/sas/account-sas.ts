import type { accountSas as OnNode } from '../../sas/account-sas.ts'
import { unsupportedSas } from '../../sas/unsupported-sas.ts'

/**
 * Replaces the function of Node in browsers and workers.
 *
 * @throws `InputError` (`UnsupportedOperation`) always
 */
export const accountSas: typeof OnNode = () => {
  throw unsupportedSas()
}
