import type { Endpoint } from './endpoint.ts'
import { UnsupportedOperationError } from './errors/unsupported-operation-error.ts'

/**
 * Refuses an operation that only Table storage has.
 *
 * @param operation - the operation's name, for the message
 * @param endpoint - the account
 * @throws {@link UnsupportedOperationError} for an account of Cosmos DB
 */
export function checkStorage(operation: string, { account, flavour }: Endpoint): void {
  if (flavour !== 'cosmos') return
  throw new UnsupportedOperationError({
    message: `Cosmos DB has no ${operation}, and ${account} is an account of Cosmos DB. Manage the account by its own tools, or say flavour: 'storage' if it is none.`,
  })
}
