import type { HttpMethod } from '@rowkey/rest'
import { routeResource } from '../call/route-resource.ts'
import type { AccountKeys } from '../service/account.ts'
import { locateAccount } from '../service/locate-account.ts'
import { type OperationName, operationName } from './operation-name.ts'
import type { RequestHead } from './request-head.ts'

/** What a request is about, as far as it can be told before the request is answered. */
export interface RequestFacts {
  /** The verb as it was sent: `POST` for a tunnelled one. */
  readonly method: HttpMethod
  /** The operation; `undefined` for a request that is none. */
  readonly operation: OperationName | undefined
  /** The account; `undefined` when the service has none of that name. */
  readonly account: string | undefined
  /** Which of the account's locations was asked. */
  readonly location: 'primary' | 'secondary'
  /** The table as the request spells it, for a batch that of its first operation. */
  readonly table: string | undefined
}

/**
 * Describes a request, without checking it.
 *
 * @param bodyTable - the table that the body names: see {@link tableInBody}
 */
export function requestFacts(
  accounts: AccountKeys,
  head: RequestHead,
  bodyTable: string | undefined,
): RequestFacts {
  const { method } = head
  try {
    const { account, isSecondary, resourcePath } = locateAccount(accounts, head)
    const resource = routeResource(resourcePath)
    return {
      method,
      operation: operationName(head, resource),
      account,
      location: isSecondary ? 'secondary' : 'primary',
      table: 'table' in resource ? resource.table : bodyTable,
    }
  } catch {
    // What cannot be read will be refused with a reason; it is about nothing.
    const nothing = { operation: undefined, account: undefined, table: undefined }
    return { method, location: 'primary', ...nothing }
  }
}
