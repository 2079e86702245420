import type { tableSas as OnNode } from '../../sas/table-sas.ts'
import { unsupportedSas } from '../../sas/unsupported-sas.ts'

/**
 * Replaces the function of Node in browsers and workers.
 *
 * @throws `InputError` (`UnsupportedOperation`) always
 */
export const tableSas: typeof OnNode = () => {
  throw unsupportedSas()
}
