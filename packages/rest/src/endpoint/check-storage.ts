import { restInputError } from '../errors/codes.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * Rejects an operation that only Table storage has.
 *
 * @param operation - the operation's name, for the message
 * @param endpoint - the account
 * @throws `InputError` (`UnsupportedOperation`) for an account of Cosmos DB
 */
export function checkStorage(operation: string, { account, flavour }: Endpoint): void {
  if (flavour !== 'cosmos') return
  throw restInputError({
    code: 'UnsupportedOperation',
    message: `Cosmos DB does not support ${operation}, and ${account} is an account of Cosmos DB. Manage the account with the tools of Cosmos DB. If it is not one, set flavour: 'storage'.`,
  })
}
