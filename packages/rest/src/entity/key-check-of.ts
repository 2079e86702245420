import { checkEntityKey, checkKeyText, type KeyCheck } from '@rowkey/odata'
import { isChecked } from '../checks/with-checks.ts'
import type { Endpoint } from '../endpoint.ts'

/**
 * What an account's keys are checked by before anything is sent: the rules of the service, or, where
 * these are left to it, only that a request can carry them.
 *
 * @param endpoint - the account
 */
export function keyCheckOf(endpoint: Endpoint): KeyCheck {
  return isChecked(endpoint, 'keys') ? checkEntityKey : checkKeyText
}
